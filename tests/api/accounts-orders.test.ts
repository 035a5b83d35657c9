import { describe, expect, test } from 'vitest'
import type { MyData } from '#lib/contract/accounts.ts'
import { DAY, HOUR, MAIL_REST } from '#lib/time.ts'
import { moveOrder } from '#server/actions/orders/move-order.ts'
import { sweep } from '#server/jobs/sweep.ts'
import { ANITA, call, register } from '../support/accounts.ts'
import { as, buy, opened, openMarket, type Market, type Shopper } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const catalog = {
  products: { lemon: { category: 'pickles', price: 120 }, laddu: { price: 200 } },
  deals: { festival: { product: 'laddu' }, autumn: { product: 'lemon' } }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]
const PERSONAL = /anita|9876543210|Nandi|620002|Tiruchirappalli/i

async function anitaOf(shop: Market): Promise<Shopper> {
  const { token, user } = await register(shop)
  return { id: user._id, name: user.name, token }
}

async function draw(shop: Market, { id }: Shopper, deal_id: string, order_id: string | null = null): Promise<void> {
  const drawn_at = new Date(shop.clock()).toISOString()
  await shop.write(trx =>
    trx.insertInto('draws').values({ deal_id, user_id: id, percent: 10, drawn_at, order_id }).execute()
  )
}

/** All that the database says, of all tables that could tell who somebody is. */
async function everything({ database: { kysely } }: Market): Promise<string> {
  const rows = [
    await kysely.selectFrom('users').selectAll().execute(),
    await kysely.selectFrom('orders').selectAll().execute(),
    await kysely.selectFrom('order_lines').selectAll().execute(),
    await kysely.selectFrom('outbox').selectAll().execute(),
    await kysely.selectFrom('payments').selectAll().execute(),
    await kysely.selectFrom('refunds').selectAll().execute(),
    await kysely.selectFrom('carts').selectAll().execute()
  ]
  return JSON.stringify(rows)
}

describe.each(ENGINES)('my data on %s', engine => {
  test('holds my orders, also those that I never paid, my cart and my discounts', async () => {
    const shop = await openMarket(engine, catalog)
    const anita = await anitaOf(shop)
    const paid = await buy(shop, anita, lemons)
    const { orderId } = await opened(shop, anita, { items: lemons })
    await as(anita, shop, 'PUT /cart', { lines: lemons, version: 0 })
    await draw(shop, anita, 'festival')
    const { body } = await as(anita, shop, 'GET /auth/my-data')
    const data = body as MyData
    expect(data.orders.map(({ _id }) => _id).toSorted()).toEqual([paid._id, orderId].toSorted())
    expect(data.cart).toEqual(lemons)
    expect(data.discounts).toMatchObject([{ dealId: 'festival', discount: 10, orderId: null }])
  })
})

describe.each(ENGINES)('an account that ends on %s', engine => {
  const end = ({ token }: Shopper, shop: Market) =>
    call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })

  test('leaves its delivered orders without a person, and neither cart nor discounts', async () => {
    const shop = await openMarket(engine, catalog)
    const anita = await anitaOf(shop)
    const { _id } = await buy(shop, anita, lemons)
    await as(anita, shop, 'PUT /cart', { lines: lemons, version: 0 })
    await draw(shop, anita, 'festival')
    await draw(shop, anita, 'autumn', _id)
    for (const to of ['packed', 'delivered'] as const) await moveOrder(shop.app, _id, to)
    shop.clock.advance(MAIL_REST)
    await shop.deliver()
    expect((await end(anita, shop)).status).toBe(200)
    expect(await everything(shop)).not.toMatch(PERSONAL)
    const [order] = await shop.database.kysely.selectFrom('orders').selectAll().execute()
    expect(order).toMatchObject({ total: 24_000, invoice_no: 1 })
    expect(JSON.parse(order?.address ?? '')).toMatchObject({ state: 'Tamil Nadu', city: '' })
    const draws = await shop.database.kysely.selectFrom('draws').select('deal_id').execute()
    expect(draws).toEqual([{ deal_id: 'autumn' }])
  })

  test('keeps where an order goes until it is there, and a refund until it is made', async () => {
    const shop = await openMarket(engine, catalog)
    const anita = await anitaOf(shop)
    const onItsWay = await buy(shop, anita, [{ product: 'laddu', quantity: 1 }])
    const cancelled = await buy(shop, anita, lemons)
    await as(anita, shop, `POST /orders/${cancelled._id}/cancel`)
    await opened(shop, anita, { items: lemons })
    await end(anita, shop)
    await shop.deliver()
    expect(await everything(shop)).toMatch(PERSONAL)
    await moveOrder(shop.app, onItsWay._id, 'packed')
    await moveOrder(shop.app, onItsWay._id, 'delivered')
    shop.clock.advance(HOUR)
    await shop.reconcile()
    await shop.deliver()
    await sweep(shop.app)
    expect(await everything(shop)).not.toMatch(PERSONAL)
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('a payment of an account that has ended on %s', engine => {
  test('that comes late goes back: nobody knows any more where the order would go', async () => {
    const shop = await openMarket(engine, catalog)
    const anita = await anitaOf(shop)
    const { id } = await opened(shop, anita, { items: lemons })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    await call(shop, 'DELETE /auth/me', { token: anita.token, body: { proof: { password: ANITA.password } } })
    await shop.sandbox.pay(id)
    await shop.hear()
    await shop.reconcile()
    const refunds = await shop.database.kysely.selectFrom('refunds').select(['reason', 'state']).execute()
    expect(refunds).toEqual([{ reason: 'too_late', state: 'processed' }])
    await shop.deliver()
    expect(new Set(shop.mails.map(({ to }) => to))).toEqual(new Set(['hello@palagaram.example']))
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('the words of mails about orders on %s', engine => {
  test('are forgotten after three months, that they were sent is not', async () => {
    const shop = await openMarket(engine, catalog)
    const anita = await anitaOf(shop)
    await buy(shop, anita, lemons)
    await shop.deliver()
    shop.clock.advance(91 * DAY)
    await sweep(shop.app)
    const mails = await shop.database.kysely.selectFrom('outbox').select(['payload', 'state']).execute()
    expect(mails).toEqual([
      { payload: '{}', state: 'sent' },
      { payload: '{}', state: 'sent' }
    ])
    expect(await shop.violations()).toEqual([])
  })
})
