import { describe, expect, test } from 'vitest'
import type { MyData } from '#lib/contract/accounts.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { DAY } from '#lib/time.ts'
import { sendStockAlerts } from '#server/catalog/stock-alerts.ts'
import {
  addAttempts,
  ANITA,
  call,
  deleteAccount,
  expectOk,
  logInAsAdmin,
  register,
  statusAndCode
} from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, testClock, type Shop, type ShopOptions } from '../support/shop.ts'

const HALWA = 'halwa'
const RAVI = { email: 'ravi@example.com', password: 'vadai-91', displayName: 'Ravi' }

async function openSoldOutShop(engine: Engine, products: ShopOptions['products'] = {}) {
  const clock = testClock()
  const shop = await openShop(engine, {
    clock,
    products: { [HALWA]: { stock: 0 }, murukku: { stock: 0, cooked_to_order: 1 }, ...products }
  })
  return {
    ...shop,
    ask: (token: string | undefined, product = HALWA) =>
      call(shop, `POST /products/${product}/stock-alert`, { token }),
    /** Null: cooked to order. */
    async setStock(stock: number | null, product = HALWA) {
      await shop.database.kysely
        .updateTable('products')
        .set(stock === null ? { cooked_to_order: 1 } : { stock, cooked_to_order: 0 })
        .where('id', '=', product)
        .execute()
    },
    /** Returns the mails that the job has sent. */
    async runJob() {
      const before = shop.mails.length
      await Promise.all(['one process', 'another'].map(holder => sendStockAlerts(shop.app, holder)))
      await shop.deliverMails()
      return shop.mails.slice(before)
    }
  }
}

async function countWaiting(shop: Shop, token: string) {
  const { body } = await call(shop, 'GET /admin/products', { token })
  return (body as AdminProduct[]).find(({ id }) => id === HALWA)?.waiting
}

describe.each(ENGINES)('“Tell me when it’s back” on %s', engine => {
  test('sends one mail per person when the product is in stock and shown, and not before', async () => {
    const shop = await openSoldOutShop(engine)
    const anita = await register(shop)
    const ravi = await register(shop, RAVI)
    expect(await shop.ask(anita.token)).toMatchObject({
      status: 200,
      body: { message: 'We’ll email you once it’s back in stock.' }
    })
    await Promise.all([shop.ask(anita.token), shop.ask(ravi.token)])
    expect(await shop.runJob()).toEqual([])
    await shop.setStock(null)
    const setHidden = (hidden_at: string | null) =>
      shop.write(trx => trx.updateTable('products').set({ hidden_at }).execute())
    await setHidden(new Date(shop.clock()).toISOString())
    expect(await shop.runJob()).toEqual([])
    await setHidden(null)
    const mails = await shop.runJob()
    expect(mails.map(({ to }) => to).sort()).toEqual([ANITA.email, RAVI.email].sort())
    expect(mails[0]?.text).toContain(`/products/${HALWA}`)
    expect(await shop.runJob()).toEqual([])
    await shop.setStock(0)
    await shop.setStock(3)
    expect(await shop.runJob()).toEqual([])
  })

  test('is counted for the owner, in the data of the person and deleted with the account', async () => {
    const shop = await openSoldOutShop(engine)
    const { token: owner } = await logInAsAdmin(shop)
    expect(await countWaiting(shop, owner)).toBe(0)
    const { token } = await register(shop)
    await shop.ask(token)
    expect(await countWaiting(shop, owner)).toBe(1)
    const { stockAlerts } = (await call(shop, 'GET /auth/my-data', { token })).body as MyData
    expect(stockAlerts).toEqual([{ product: HALWA, askedAt: new Date(shop.clock()).toISOString() }])
    await deleteAccount(shop, { token })
    await shop.setStock(1)
    expect(await shop.runJob()).toEqual([])
  })
})

describe('“Tell me when it’s back”', () => {
  test('is stopped by the token of any of its mails, without a login, but by no altered one', async () => {
    const shop = await openSoldOutShop('sqlite', { laddu: { stock: 0 } })
    const { token, user } = await register(shop)
    await shop.ask(token)
    await shop.ask(token, 'laddu')
    await shop.setStock(1)
    const [mail] = await shop.runJob()
    const stopToken = new URL(mail?.unsubscribeUrl ?? '').searchParams.get('token') ?? ''
    const altered = `${stopToken.slice(0, -1)}${stopToken.endsWith('0') ? '1' : '0'}`
    for (const wrong of ['', user._id, altered])
      expect(await call(shop, `POST /stock-alerts/stop?token=${wrong}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT' }
      })
    // A mail program that does not know RFC 8058 opens the address.
    const opened = await shop.get(`/stock-alerts/stop?token=${stopToken}`)
    expect([opened.status, opened.headers.location]).toEqual([
      303,
      `/stock-alert#stop=${stopToken}`
    ])
    // As mail programs do it (RFC 8058).
    const reply = await shop.post(
      `/stock-alerts/stop?token=${stopToken}`,
      'List-Unsubscribe=One-Click',
      { 'content-type': 'application/x-www-form-urlencoded' }
    )
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: 'You’ll get no more of these emails.' }
    ])
    await shop.setStock(1, 'laddu')
    expect(await shop.runJob()).toEqual([])
  })

  test('is refused to visitors, and for products that are in stock or unknown', async () => {
    const shop = await openSoldOutShop('sqlite')
    const { token } = await register(shop)
    const replies = [
      await shop.ask(undefined),
      await shop.ask(token, 'murukku'),
      await shop.ask(token, 'nothing')
    ]
    expect(replies.map(statusAndCode)).toEqual([
      '401 UNAUTHORIZED',
      '409 PRODUCT_IN_STOCK',
      '404 PRODUCT_NOT_FOUND'
    ])
  })

  test('takes 20 products a day', async () => {
    const shop = await openSoldOutShop('sqlite', { laddu: { stock: 0 }, kesari: { stock: 0 } })
    const { token } = await register(shop)
    await shop.ask(token)
    await addAttempts(shop, 18)
    await expectOk(shop.ask(token, 'laddu'))
    expect((await shop.ask(token, 'kesari')).status).toBe(429)
    shop.clock.advance(DAY)
    await expectOk(shop.ask(token, 'kesari'))
  })
})
