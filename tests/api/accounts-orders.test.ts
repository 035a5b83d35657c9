import { describe, expect, test } from 'vitest'
import type { MyData } from '#lib/contract/accounts.ts'
import { DAY, HOUR, MINUTE, STATUS_MAIL_DELAY } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { ANITA, call, register } from '../support/accounts.ts'
import {
  advanceOrder,
  attemptPayment,
  buy,
  callAs,
  type CheckoutShop,
  openCheckoutShop,
  openPayment,
  orderOf,
  placeOrder,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const catalog = {
  products: { lemon: { category: 'pickles', price: 120 }, laddu: { price: 200 } },
  deals: { festival: { product: 'laddu' }, autumn: { product: 'lemon' } }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]
const PERSONAL_DATA = /anita|9876543210|Nandi|620002|Tiruchirappalli/i

async function registerAnita(shop: CheckoutShop): Promise<Shopper> {
  const { token, user } = await register(shop)
  return { id: user._id, name: user.name, token }
}

async function insertDraw(
  shop: CheckoutShop,
  { id }: Shopper,
  deal_id: string,
  order_id: string | null = null
): Promise<void> {
  const drawn_at = new Date(shop.clock()).toISOString()
  await shop.write(trx =>
    trx
      .insertInto('draws')
      .values({ deal_id, user_id: id, percent: 10, drawn_at, order_id })
      .execute()
  )
}

/** Each copy is a minute older than the one before, but two copies have the same time. */
async function copyOrder(shop: CheckoutShop, id: string, copies: number): Promise<void> {
  const { kysely } = shop.database
  const order = await kysely
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const lines = await kysely
    .selectFrom('order_lines')
    .selectAll()
    .where('order_id', '=', id)
    .execute()
  const unique = {
    provider_order_id: null,
    paid_payment_id: null,
    invoice_year: null,
    invoice_no: null
  }
  await shop.write(async trx => {
    for (let n = 1; n <= copies; n++) {
      const created_at = new Date(
        Date.parse(order.created_at) - Math.floor(n / 2) * MINUTE
      ).toISOString()
      const copy = { id: `copy-${n}`, order_no: `copy-${n}`, checkout_key: `copy-${n}`, created_at }
      await trx
        .insertInto('orders')
        .values({ ...order, ...unique, ...copy })
        .execute()
      for (const line of lines)
        await trx
          .insertInto('order_lines')
          .values({ ...line, order_id: copy.id })
          .execute()
    }
  })
}

/** Returns all rows of the tables that can contain personal data, as JSON. */
async function dumpTables({ database: { kysely } }: CheckoutShop): Promise<string> {
  const orders = await kysely.selectFrom('orders').selectAll().execute()
  const rows = [
    await kysely.selectFrom('users').selectAll().execute(),
    // The seller is in the same town.
    orders.map(order => ({ ...order, seller: null })),
    await kysely.selectFrom('order_lines').selectAll().execute(),
    await kysely.selectFrom('outbox').selectAll().execute(),
    await kysely.selectFrom('payments').selectAll().execute(),
    await kysely.selectFrom('refunds').selectAll().execute(),
    await kysely.selectFrom('carts').selectAll().execute()
  ]
  return JSON.stringify(rows)
}

describe.each(ENGINES)('GET /auth/my-data on %s', engine => {
  test('returns paid and unpaid orders, cart and discounts', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await registerAnita(shop)
    const paid = await buy(shop, anita, lemons)
    const { orderId } = await openPayment(shop, anita, { items: lemons })
    await callAs(anita, shop, 'PUT /cart', { lines: lemons, version: 0 })
    await insertDraw(shop, anita, 'festival')
    const { body } = await callAs(anita, shop, 'GET /auth/my-data')
    const data = body as MyData
    expect(data.orders.map(({ _id }) => _id).toSorted()).toEqual([paid._id, orderId].toSorted())
    expect(data.cart).toEqual(lemons)
    expect(data.discounts).toMatchObject([{ dealId: 'festival', discount: 10, orderId: null }])
  })

  test('returns all of many orders once, newest first', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await registerAnita(shop)
    const { _id } = await buy(shop, anita, lemons)
    await copyOrder(shop, _id, 250)
    const { orders } = (await callAs(anita, shop, 'GET /auth/my-data')).body as MyData
    expect(new Set(orders.map(order => order._id)).size).toBe(251)
    expect(orders.map(({ createdAt }) => createdAt)).toEqual(
      orders.map(({ createdAt }) => createdAt).toSorted((a, b) => (a < b ? 1 : -1))
    )
    expect(orders[0]?.items).toMatchObject([{ quantity: 2 }])
  })
})

describe.each(ENGINES)('Deleting an account with orders on %s', engine => {
  const deleteAccount = ({ token }: Shopper, shop: CheckoutShop) =>
    call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })

  test('anonymises delivered orders and deletes the cart and unused discounts', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await registerAnita(shop)
    const { _id } = await buy(shop, anita, lemons)
    await callAs(anita, shop, 'PUT /cart', { lines: lemons, version: 0 })
    await insertDraw(shop, anita, 'festival')
    await insertDraw(shop, anita, 'autumn', _id)
    for (const to of ['packed', 'delivered'] as const) await advanceOrder(shop, _id, to)
    shop.clock.advance(STATUS_MAIL_DELAY)
    await shop.deliverMails()
    expect((await deleteAccount(anita, shop)).status).toBe(200)
    expect(await dumpTables(shop)).not.toMatch(PERSONAL_DATA)
    const [order] = await shop.database.kysely.selectFrom('orders').selectAll().execute()
    expect(order).toMatchObject({ total: 24_000, invoice_no: 1 })
    expect(JSON.parse(order?.address ?? '')).toMatchObject({ state: 'Tamil Nadu', city: '' })
    const draws = await shop.database.kysely.selectFrom('draws').select('deal_id').execute()
    expect(draws).toEqual([{ deal_id: 'autumn' }])
  })

  test('removes personal data only after all orders are delivered and all refunds are processed', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await registerAnita(shop)
    const undelivered = await buy(shop, anita, [{ product: 'laddu', quantity: 1 }])
    const cancelled = await buy(shop, anita, lemons)
    await callAs(anita, shop, `POST /orders/${cancelled._id}/cancel`)
    await openPayment(shop, anita, { items: lemons })
    await deleteAccount(anita, shop)
    await shop.deliverMails()
    expect(await dumpTables(shop)).toMatch(PERSONAL_DATA)
    await advanceOrder(shop, undelivered._id, 'packed')
    await advanceOrder(shop, undelivered._id, 'delivered')
    shop.clock.advance(HOUR)
    await shop.reconcile()
    await shop.deliverMails()
    await deleteExpired(shop.app)
    expect(await dumpTables(shop)).not.toMatch(PERSONAL_DATA)
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Late payment of a deleted account on %s', engine => {
  test('is refunded, and only the shop gets a mail', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await registerAnita(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    await call(shop, 'DELETE /auth/me', {
      token: anita.token,
      body: { proof: { password: ANITA.password } }
    })
    await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    await shop.reconcile()
    const refunds = await shop.database.kysely
      .selectFrom('refunds')
      .select(['reason', 'state'])
      .execute()
    expect(refunds).toEqual([{ reason: 'too_late', state: 'processed' }])
    await shop.deliverMails()
    expect(new Set(shop.mails.map(({ to }) => to))).toEqual(new Set(['hello@palagaram.example']))
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Sent order mail on %s', engine => {
  test('is kept without its content after three months', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await registerAnita(shop)
    await buy(shop, anita, lemons)
    await shop.deliverMails()
    shop.clock.advance(91 * DAY)
    await deleteExpired(shop.app)
    const mails = await shop.database.kysely
      .selectFrom('outbox')
      .select(['payload', 'state'])
      .execute()
    expect(mails).toEqual([
      { payload: '{}', state: 'sent' },
      { payload: '{}', state: 'sent' }
    ])
    expect(await shop.violations()).toEqual([])
  })
})

async function expectRefund(shop: CheckoutShop, reason: string): Promise<void> {
  await shop.deliverWebhooks()
  await shop.reconcile()
  const refunds = await shop.database.kysely
    .selectFrom('refunds')
    .select(['reason', 'state'])
    .execute()
  expect(refunds).toEqual([{ reason, state: 'processed' }])
  await shop.deliverMails()
  expect(shop.mails.filter(({ to }) => to === '')).toEqual([])
  expect(await shop.violations()).toEqual([])
}

async function deleteAccount(shop: CheckoutShop, { token }: Shopper): Promise<void> {
  await call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })
  await deleteExpired(shop.app)
  const orders = await shop.database.kysely.selectFrom('orders').select('anonymised_at').execute()
  expect(orders).toEqual([{ anonymised_at: expect.any(String) }])
}

describe.each(ENGINES)('Refund of a payment for an anonymised order on %s', engine => {
  test('is made if a payment of its expired order is captured late', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await registerAnita(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    const payment_id = await attemptPayment(shop, id, 'failed')
    shop.clock.advance(HOUR)
    await shop.reconcile()
    await deleteAccount(shop, anita)
    await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'captured' })
    await expectRefund(shop, 'too_late')
  })
})

describe('Refund of a payment for an anonymised order', () => {
  test('is made if its delivered order is paid a second time', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await registerAnita(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    const { _id } = orderOf(await placeOrder(shop, anita, await shop.sandbox.pay(id)))
    for (const to of ['packed', 'delivered'] as const) await advanceOrder(shop, _id, to)
    shop.clock.advance(STATUS_MAIL_DELAY)
    await shop.deliverMails()
    await deleteAccount(shop, anita)
    await shop.sandbox.control('POST', '/pay2', { order_id: id })
    await expectRefund(shop, 'second_payment')
  })
})
