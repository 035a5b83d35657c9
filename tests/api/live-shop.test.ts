import { describe, expect, test } from 'vitest'
import type { UnmatchedPayment } from '#lib/contract/admin.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import { readIdentity } from '#server/live-shop/live-shop.ts'
import {
  ADMIN,
  call,
  expectBody,
  expectOk,
  logIn,
  logInAsAdmin,
  statusAndCode
} from '../support/accounts.ts'
import { openBackupShop, restoreTo } from '../support/backups.ts'
import {
  addShopper,
  attemptPayment,
  buy,
  callAs,
  openCheckoutShop,
  openPayment,
  requestPayment,
  type CheckoutShop
} from '../support/checkout.ts'
import { ENGINES, openDatabase } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 20 } } as const
const items = [{ product: 'lemon', quantity: 1 }]
const MESSAGE = { name: 'Ravi', email: 'ravi@example.com', message: 'Do you deliver to Madurai?' }

async function listUnmatched(shop: CheckoutShop, token: string) {
  return (await call(shop, 'GET /admin/unmatched-payments', { token })).body as UnmatchedPayment[]
}

async function refundCount({ sandbox }: CheckoutShop) {
  return ((await sandbox.call('GET', '/refunds?count=100')).body['items'] as unknown[]).length
}

/** Pays an order of the provider that is not in the shop's database. */
async function payUnknownOrder(shop: CheckoutShop, notes: Record<string, string>) {
  const paid = await shop.sandbox.pay(await shop.sandbox.createOrder(24_000, { notes }))
  await shop.deliverWebhooks()
  return paid.razorpay_payment_id
}

describe.each(ENGINES)('Restored shop on %s', engine => {
  /**
   * The backup contains an order whose authorised payment is not captured, and one whose refund is
   * due.
   */
  async function openRestoredShop() {
    const shop = await openBackupShop(engine, { products })
    const [anita, velu] = [await addShopper(shop), await addShopper(shop)]
    await logInAsAdmin(shop)
    const { _id } = await buy(shop, anita, items)
    await callAs(anita, shop, `POST /orders/${_id}/cancel`)
    const authorized = await attemptPayment(
      shop,
      (await openPayment(shop, velu, { items })).id,
      'authorized'
    )
    await restoreTo(shop, await shop.backUp(), true)
    const { token } = await logInAsAdmin(shop)
    return { shop, token, authorized, shopper: await addShopper(shop) }
  }

  test('takes no orders, captures and refunds nothing and sends no mail', async () => {
    const { shop, token, authorized, shopper } = await openRestoredShop()
    const listOrders = async () =>
      (await shop.sandbox.call('GET', '/orders?count=100')).body['items']
    const orders = await listOrders()
    const reply = await requestPayment(shop, shopper, { items })
    expect(reply).toMatchObject({ status: 503, body: { code: 'SHOP_NOT_LIVE' } })
    expect(reply.text).toContain('We can’t take orders at the moment.')
    expect(await call(shop, 'POST /admin/settings/mail/test', { token })).toMatchObject({
      status: 503,
      body: { code: 'SHOP_NOT_LIVE', message: ADMIN_MESSAGES.notLive }
    })
    await shop.post('/contact', MESSAGE)
    for (let round = 0; round < 3; round++) {
      await shop.reconcile()
      await shop.deliverMails()
      shop.clock.advance(4 * MINUTE)
    }
    expect(await listOrders()).toEqual(orders)
    expect(await shop.sandbox.fetchPayment(authorized)).toMatchObject({ status: 'authorized' })
    expect([await refundCount(shop), shop.mails]).toEqual([0, []])
    expect(await shop.stockOf('lemon')).toBe(19)
  })

  test('does all of it after an administrator has logged in with the password and confirmed', async () => {
    const { shop, authorized, shopper } = await openRestoredShop()
    await shop.post('/contact', MESSAGE)
    await shop.reconcile()
    const { token } = (await logIn(shop, ADMIN)).body as { token: string }
    const status = async () => (await call(shop, 'GET /status', { token })).body
    expect(await status()).toMatchObject({ notLive: true })
    await expectOk(call(shop, 'POST /admin/confirm-live', { token }))
    expect(await status()).toMatchObject({ notLive: false })
    shop.clock.advance(2 * MINUTE)
    await shop.reconcile()
    await shop.deliverMails()
    expect(await shop.sandbox.fetchPayment(authorized)).toMatchObject({ status: 'captured' })
    expect(await refundCount(shop)).toBe(1)
    expect(shop.mails.map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Message .* from Ravi$/)
    )
    await expectOk(requestPayment(shop, shopper, { items }))
    await expectBody(call(shop, 'GET /admin/audit?kind=publish', { token }), [
      { action: 'confirmed', after: { siteUrl: shop.app.config.siteUrl } }
    ])
  })
})

describe('Shop whose SITE_URL has changed', () => {
  async function isLiveAfter(...addresses: string[]) {
    const database = { ...(await openDatabase('sqlite')), close: async () => undefined }
    let isLive = false
    for (const siteUrl of addresses) {
      const shop = await openShop('sqlite', { database, config: { siteUrl } })
      const { token } = await logInAsAdmin(shop)
      isLive = !((await call(shop, 'GET /status', { token })).body as { notLive: boolean }).notLive
    }
    return isLive
  }

  const SHOP = 'https://shop.example'
  test.for<[addresses: string[], expected: boolean]>([
    [[SHOP, SHOP], true],
    [[SHOP, 'https://copy.example'], false],
    [[SHOP, 'http://localhost:4321'], false],
    [['http://localhost:4321', SHOP], false],
    [['http://localhost:4321', 'http://127.0.0.1:5000'], true],
    [[SHOP, 'https://copy.example', SHOP], true]
  ])('%j: is live: %s', async ([addresses, expected]) => {
    expect(await isLiveAfter(...addresses)).toBe(expected)
  })
})

describe.each(ENGINES)('Payment whose order is not in the database on %s', engine => {
  test.for([
    ['refund', 1],
    ['keep', 0]
  ] as const)(
    'is listed and mailed once if its notes contain the id of this shop, until the decision to %s it',
    async ([decision, refunds]) => {
      const shop = await openCheckoutShop(engine, { products })
      const { id: shopId } = await readIdentity(shop.database.kysely)
      const id = await payUnknownOrder(shop, { shop: shopId, order: 'unknown', number: 'PG-1042' })
      for (let round = 0; round < 3; round++) {
        await shop.reconcile()
        shop.clock.advance(11 * MINUTE)
      }
      await shop.deliverMails()
      const { token } = await logInAsAdmin(shop)
      const listed = { id, amount: 240, orderNumber: 'PG-1042' }
      expect(await listUnmatched(shop, token)).toMatchObject([listed])
      const subject = 'Payment of ₹240.00 without an order: refund or keep?'
      const text = expect.stringContaining('PG-1042')
      expect(shop.mails).toMatchObject([{ to: 'hello@palagaram.example', subject, text }])
      expect(await refundCount(shop)).toBe(0)
      const decide = async (choice: string) => {
        const body = { decision: choice }
        return statusAndCode(
          await call(shop, `POST /admin/unmatched-payments/${id}`, { token, body })
        )
      }
      const outcomes = [await decide(decision), await decide('refund'), await decide('keep')]
      expect(outcomes).toEqual(['200', '409 EDIT_CONFLICT', '409 EDIT_CONFLICT'])
      await shop.reconcile()
      expect(await listUnmatched(shop, token)).toEqual([])
      expect(await refundCount(shop)).toBe(refunds)
      const audit = (await call(shop, `GET /admin/audit?kind=order&id=${id}`, { token })).body
      expect(audit).toMatchObject([{ action: decision }])
      expect(await shop.violations()).toEqual([])
    }
  )
})

test('Payment whose order is not in the database is ignored if its notes contain another id, and after a week also if they contain SITE_URL', async () => {
  const shop = await openCheckoutShop('sqlite', { products })
  const { siteUrl } = shop.app.config
  const early = await payUnknownOrder(shop, { shop: siteUrl })
  await payUnknownOrder(shop, { shop: 'https://other.example' })
  await payUnknownOrder(shop, {})
  shop.clock.advance(7 * DAY)
  await payUnknownOrder(shop, { shop: siteUrl })
  await shop.reconcile()
  const { token } = await logInAsAdmin(shop)
  expect(await listUnmatched(shop, token)).toMatchObject([{ id: early }])
  expect(await refundCount(shop)).toBe(0)
})
