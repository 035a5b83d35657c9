import { describe, expect, test } from 'vitest'
import type { MyData } from '#lib/contract/accounts.ts'
import { HOUR, MINUTE, STATUS_MAIL_DELAY } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { deleteAccount, register } from '../support/accounts.ts'
import {
  advanceOrder,
  attemptPayment,
  buy,
  callAs,
  type CheckoutShop,
  openCheckoutShop,
  openPayment,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const lemons = [{ product: 'lemon', quantity: 2 }]
const SHOP_EMAIL = 'hello@palagaram.example'

async function openShopOfAnita(engine: (typeof ENGINES)[number]) {
  const shop = await openCheckoutShop(engine, {
    products: { lemon: { category: 'pickles', price: 120 }, laddu: { price: 200 } },
    deals: { festival: { product: 'laddu' }, autumn: { product: 'lemon' } }
  })
  const { token, user } = await register(shop)
  const anita: Shopper = { id: user._id, name: user.name, token }
  return { shop, anita }
}

async function insertDraw(
  shop: CheckoutShop,
  { id }: Shopper,
  deal_id: string,
  order_id: string | null = null
) {
  const draw = { deal_id, user_id: id, percent: 10, order_id }
  const drawn_at = new Date(shop.clock()).toISOString()
  await shop.write(async trx => {
    await trx
      .insertInto('draws')
      .values({ ...draw, drawn_at })
      .execute()
  })
}

async function deliver(shop: CheckoutShop, id: string) {
  for (const to of ['packed', 'delivered'] as const) await advanceOrder(shop, id, to)
  shop.clock.advance(STATUS_MAIL_DELAY)
  await shop.deliverMails()
}

async function hasPersonalData({ database: { kysely } }: CheckoutShop) {
  const orders = await kysely.selectFrom('orders').selectAll().execute()
  const tables = ['users', 'order_lines', 'outbox', 'payments', 'refunds', 'carts'] as const
  const rows = tables.map(table => kysely.selectFrom(table).selectAll().execute())
  // The seller is in the same town.
  const all = [orders.map(order => ({ ...order, seller: null })), ...(await Promise.all(rows))]
  return /anita|9876543210|Nandi|620002|Tiruchirappalli/i.test(JSON.stringify(all))
}

describe.each(ENGINES)('Account with orders on %s', engine => {
  test('is exported with all orders, newest first, cart and discounts', async () => {
    const { shop, anita } = await openShopOfAnita(engine)
    const paid = await buy(shop, anita, lemons)
    shop.clock.advance(MINUTE)
    const { orderId } = await openPayment(shop, anita, { items: lemons })
    await callAs(anita, shop, 'PUT /cart', { lines: lemons, version: 0 })
    await insertDraw(shop, anita, 'festival')
    const data = (await callAs(anita, shop, 'GET /auth/my-data')).body as MyData
    expect(data.orders).toMatchObject([
      { _id: orderId },
      { _id: paid._id, items: lemons.map(({ quantity }) => ({ quantity })) }
    ])
    expect(data.cart).toEqual(lemons)
    expect(data.discounts).toMatchObject([{ dealId: 'festival', discount: 10, orderId: null }])
  })

  test('leaves anonymous delivered orders and no cart or unused discounts when it is deleted', async () => {
    const { shop, anita } = await openShopOfAnita(engine)
    const { _id } = await buy(shop, anita, lemons)
    await callAs(anita, shop, 'PUT /cart', { lines: lemons, version: 0 })
    await insertDraw(shop, anita, 'festival')
    await insertDraw(shop, anita, 'autumn', _id)
    await deliver(shop, _id)
    await deleteAccount(shop, anita)
    expect(await hasPersonalData(shop)).toBe(false)
    const [order] = await shop.database.kysely.selectFrom('orders').selectAll().execute()
    expect(order).toMatchObject({ total: 24_000, invoice_no: 1 })
    expect(JSON.parse(order?.address ?? '')).toMatchObject({ state: 'Tamil Nadu', city: '' })
    const draws = await shop.database.kysely.selectFrom('draws').select('deal_id').execute()
    expect(draws).toEqual([{ deal_id: 'autumn' }])
  })

  test('is forgotten only after all orders are delivered and all refunds are processed', async () => {
    const { shop, anita } = await openShopOfAnita(engine)
    const undelivered = await buy(shop, anita, [{ product: 'laddu', quantity: 1 }])
    const cancelled = await buy(shop, anita, lemons)
    await callAs(anita, shop, `POST /orders/${cancelled._id}/cancel`)
    await openPayment(shop, anita, { items: lemons })
    await deleteAccount(shop, anita)
    await shop.deliverMails()
    expect(await hasPersonalData(shop)).toBe(true)
    await deliver(shop, undelivered._id)
    shop.clock.advance(HOUR)
    await shop.reconcile()
    await shop.deliverMails()
    await deleteExpired(shop.app)
    expect(await hasPersonalData(shop)).toBe(false)
    expect(await shop.violations()).toEqual([])
  })
})

test.for(ENGINES)('A sent mail is kept without its content on %s', async engine => {
  const { shop, anita } = await openShopOfAnita(engine)
  await buy(shop, anita, lemons)
  await shop.deliverMails()
  const mails = await shop.database.kysely
    .selectFrom('outbox')
    .select(['payload', 'state'])
    .execute()
  const empty = { payload: '{}', state: 'sent' }
  expect(mails).toEqual([empty, empty])
  expect(await shop.violations()).toEqual([])
})

test.for(ENGINES)(
  'A late payment for an order of a deleted account is refunded on %s',
  async engine => {
    const { shop, anita } = await openShopOfAnita(engine)
    const { kysely } = shop.database
    const { id } = await openPayment(shop, anita, { items: lemons })
    const payment_id = await attemptPayment(shop, id, 'failed')
    shop.clock.advance(HOUR)
    await shop.reconcile()
    await deleteAccount(shop, anita)
    await deleteExpired(shop.app)
    const orders = await kysely.selectFrom('orders').select('anonymised_at').execute()
    expect(orders).toEqual([{ anonymised_at: expect.any(String) }])
    shop.mails.length = 0
    await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'captured' })
    await shop.deliverWebhooks()
    await shop.reconcile()
    const refunds = await kysely.selectFrom('refunds').select(['reason', 'state']).execute()
    expect(refunds).toEqual([{ reason: 'too_late', state: 'processed' }])
    await shop.deliverMails()
    expect(new Set(shop.mails.map(({ to }) => to))).toEqual(new Set([SHOP_EMAIL]))
    expect(await shop.violations()).toEqual([])
  }
)
