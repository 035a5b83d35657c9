import { describe, expect, test } from 'vitest'
import type { MyData } from '#lib/contract/accounts.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { DAY } from '#lib/time.ts'
import { sendStockAlerts } from '#server/catalog/stock-alerts.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { ANITA, call, logInAsAdmin, register } from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, testClock, type Shop } from '../support/shop.ts'

const HALWA = 'halwa'
const RAVI = { email: 'ravi@example.com', password: 'vadai-91', displayName: 'Ravi' }

async function openSoldOutShop(engine: Engine, products: Record<string, { stock: number }> = {}) {
  const clock = testClock()
  const shop = await openShop(engine, {
    clock,
    products: { [HALWA]: { stock: 0 }, murukku: { stock: 5 }, ...products }
  })
  return {
    ...shop,
    ask: (token: string | undefined, product = HALWA) =>
      call(shop, `POST /products/${product}/stock-alert`, { token }),
    async setStock(stock: number, product = HALWA): Promise<void> {
      await shop.database.kysely
        .updateTable('products')
        .set({ stock })
        .where('id', '=', product)
        .execute()
    },
    /** Returns the mails that the job has sent. */
    async runJob(): Promise<Mail[]> {
      const before = shop.mails.length
      await Promise.all(['one process', 'another'].map(holder => sendStockAlerts(shop.app, holder)))
      await shop.deliverMails()
      return shop.mails.slice(before)
    }
  }
}

function stopTokenOf({ unsubscribeUrl = '' }: Partial<Mail>): string {
  return new URL(unsubscribeUrl).searchParams.get('token') ?? ''
}

async function countWaiting(shop: Shop, token: string): Promise<number | undefined> {
  const { body } = await call(shop, 'GET /admin/products', { token })
  return (body as AdminProduct[]).find(({ id }) => id === HALWA)?.waiting
}

describe.each(ENGINES)('“Tell me when it’s back” on %s', engine => {
  test('sends one mail per person when the product is in stock, and not before', async () => {
    const shop = await openSoldOutShop(engine)
    const anita = await register(shop)
    const ravi = await register(shop, RAVI)
    expect(await shop.ask(anita.token)).toMatchObject({
      status: 200,
      body: { message: 'We’ll email you once it’s back in stock.' }
    })
    await Promise.all([shop.ask(anita.token), shop.ask(ravi.token)])
    expect(await shop.runJob()).toEqual([])
    await shop.setStock(3)
    const mails = await shop.runJob()
    expect(mails.map(({ to }) => to).sort()).toEqual([ANITA.email, RAVI.email].sort())
    expect(mails[0]?.text).toContain(`/products/${HALWA}`)
    expect(await shop.runJob()).toEqual([])
    await shop.setStock(0)
    await shop.setStock(3)
    expect(await shop.runJob()).toEqual([])
  })

  test('tells the owner how many wait', async () => {
    const shop = await openSoldOutShop(engine)
    const { token } = await logInAsAdmin(shop)
    expect(await countWaiting(shop, token)).toBe(0)
    await shop.ask((await register(shop)).token)
    expect(await countWaiting(shop, token)).toBe(1)
  })

  test('is in the data of the person and is deleted with the account', async () => {
    const shop = await openSoldOutShop(engine)
    const { token } = await register(shop)
    await shop.ask(token)
    const { stockAlerts } = (await call(shop, 'GET /auth/my-data', { token })).body as MyData
    expect(stockAlerts).toEqual([{ product: HALWA, askedAt: new Date(shop.clock()).toISOString() }])
    await call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })
    await shop.setStock(1)
    expect(await shop.runJob()).toEqual([])
  })
})

describe('“Tell me when it’s back”', () => {
  test('is stopped by the token of any of its mails, without a login', async () => {
    const shop = await openSoldOutShop('sqlite', { laddu: { stock: 0 } })
    const { token } = await register(shop)
    await shop.ask(token)
    await shop.ask(token, 'laddu')
    await shop.setStock(1)
    const [mail = {}] = await shop.runJob()
    // As mail programs do it (RFC 8058).
    const reply = await shop.request({
      method: 'POST',
      url: `/api/stock-alerts/stop?token=${stopTokenOf(mail)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click'
    })
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: 'You’ll get no more of these emails.' }
    ])
    await shop.setStock(1, 'laddu')
    expect(await shop.runJob()).toEqual([])
  })
})

describe('“Tell me when it’s back”', () => {
  test('needs a login', async () => {
    const shop = await openSoldOutShop('sqlite')
    expect(await shop.ask(undefined)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })

  test('is refused for products that are in stock or unknown', async () => {
    const shop = await openSoldOutShop('sqlite')
    const { token } = await register(shop)
    expect(await shop.ask(token, 'murukku')).toMatchObject({
      status: 409,
      body: { code: 'PRODUCT_IN_STOCK' }
    })
    expect(await shop.ask(token, 'nothing')).toMatchObject({
      status: 404,
      body: { code: 'PRODUCT_NOT_FOUND' }
    })
  })

  test('takes 20 products a day', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => `sweet-${index}`)
    const shop = await openSoldOutShop(
      'sqlite',
      Object.fromEntries(ids.map(id => [id, { stock: 0 }]))
    )
    const { token } = await register(shop)
    const replies = []
    for (const id of ids) replies.push((await shop.ask(token, id)).status)
    expect(replies).toEqual([...ids.slice(1).map(() => 200), 429])
    shop.clock.advance(DAY)
    expect(await shop.ask(token, 'sweet-20')).toMatchObject({ status: 200 })
  })

  test('refuses an altered token to stop', async () => {
    const shop = await openSoldOutShop('sqlite')
    const { token, user } = await register(shop)
    await shop.ask(token)
    await shop.setStock(1)
    const stopToken = stopTokenOf((await shop.runJob())[0] ?? {})
    for (const wrong of [
      '',
      user._id,
      `${stopToken.slice(0, -1)}${stopToken.endsWith('0') ? '1' : '0'}`
    ]) {
      const reply = await call(shop, `POST /stock-alerts/stop?token=${wrong}`)
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
  })
})
