import { describe, expect, test } from 'vitest'
import { Discount } from '#lib/contract/promotions.ts'
import { tooManyDrawsText } from '#lib/messages.ts'
import { toPaise } from '#lib/money.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import {
  addAttempts,
  ANITA,
  call,
  expectBody,
  expectOk,
  expectOutcome,
  logIn,
  logInByCode,
  register,
  sessionOf
} from '../support/accounts.ts'
import {
  addShopper,
  buy,
  callAs,
  openCheckoutShop,
  openPayment,
  requestPayment,
  type Shopper
} from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES, type Engine } from '../support/database.ts'
import { openShop, START_TIME, type Reply, type Shop } from '../support/shop.ts'

const products = { laddu: { price: 180.05 }, murukku: { price: 90 }, thattai: {}, halwa: {} }
const deals = {
  now: { product: 'laddu', percent: 20, to: HOUR },
  longer: { product: 'murukku', percent: 1, to: 2 * HOUR },
  ended: { product: 'thattai', from: -2 * HOUR, to: 0 },
  future: { product: 'halwa', from: HOUR, to: 2 * HOUR }
}

const draw = (shop: Shop, token: string, product = 'laddu', ip?: string) =>
  call(shop, `POST /flash-deals/generate/${product}`, { token, ...(ip && { ip }) })
const percentOf = (reply: Reply) => Discount.parse(reply.body).discount
const listMine = async (shop: Shop, token: string) =>
  (await call(shop, 'GET /flash-deals/mine', { token })).body as Discount[]
const readDraws = ({ database }: Shop) => database.kysely.selectFrom('draws').selectAll().execute()
const registerAs = async (shop: Shop, email: string) => (await register(shop, { email })).token

/** Takes half a percent off each percentage. */
const halve = (shop: Shop): Promise<unknown> =>
  shop.write(trx => trx.updateTable('deals').set({ hundredths: -50 }).execute())

describe('A draw', () => {
  test.for([
    ['highest', (_: number, limit: number) => limit - 1, 19, 145.84],
    ['lowest', (min: number) => min, 1, 178.25]
  ] as const)(
    'gives at the %s a whole percentage from 1 to the one of the deal',
    async ([, randomInt, discount, price]) => {
      const shop = await openShop('sqlite', { products, deals, randomInt })
      await halve(shop)
      const { token } = await register(shop)
      shop.clock.advance(MINUTE)
      const reply = await draw(shop, token)
      expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      expect(reply.body).toEqual({
        dealId: 'now',
        productId: 'laddu',
        discount,
        price,
        originalPrice: 180.05,
        endTime: '2026-11-21T05:00:00.000Z',
        used: false,
        serverTime: '2026-11-21T04:01:00.000Z'
      })
      // Nothing is drawn for a deal below 1%, so that the owner can raise it.
      await expectBody(draw(shop, token, 'murukku'), { discount: 0, price: 90 })
      expect(await readDraws(shop)).toHaveLength(1)
    }
  )

  test('requires a session, and so does the list of drawn discounts', async () => {
    const shop = await openShop('sqlite', { products, deals })
    for (const line of ['POST /flash-deals/generate/laddu', 'GET /flash-deals/mine'])
      await expectOutcome(call(shop, line, { token: 'nobody' }), '401 UNAUTHORIZED')
    expect(await readDraws(shop)).toEqual([])
  })

  test("is refused before the deal starts and after it ends, by the server's clock", async () => {
    const shop = await openShop('sqlite', { products, deals })
    const { token } = await register(shop)
    for (const [product, code, message] of [
      ['thattai', 'DEAL_ENDED', 'This deal has ended.'],
      ['halwa', 'DEAL_NOT_STARTED', 'This deal has not started yet.'],
      ['pizza', 'DEAL_NOT_FOUND', 'There is no deal for this product.'],
      ['laddu%00', 'NOT_FOUND', 'Not found.']
    ] as const)
      await expectBody(draw(shop, token, product), { code, message })
    shop.clock.advance(HOUR - 1)
    await expectOutcome(draw(shop, token, 'halwa'), '409 DEAL_NOT_STARTED')
    await expectOk(draw(shop, token))
    shop.clock.advance(1)
    await expectOutcome(draw(shop, token), '409 DEAL_ENDED')
    await expectOk(draw(shop, token, 'halwa'))
  })

  test('is refused for a hidden product, whose drawn discounts are not listed meanwhile', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const { token } = await register(shop)
    await draw(shop, token)
    const setHiddenAt = (hidden_at: string | null): Promise<unknown> =>
      shop.write(trx => trx.updateTable('products').set({ hidden_at }).execute())
    await setHiddenAt(START_TIME)
    await expectOutcome(draw(shop, token), '404 DEAL_NOT_FOUND')
    expect(await listMine(shop, token)).toEqual([])
    await setHiddenAt(null)
    expect(await listMine(shop, token)).toHaveLength(1)
  })

  test('is limited to 60 per deal, network and day for accounts with an unverified email', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const [first = '', second = '', last = ''] = await Promise.all(
      [1, 2, 3].map(n => registerAs(shop, `a${n}@example.com`))
    )
    const { token: verified } = await logInByCode(shop)
    await draw(shop, first)
    await addAttempts(shop, 58)
    for (const token of [second, first]) await expectOk(draw(shop, token))
    expect(await draw(shop, last)).toMatchObject({
      status: 429,
      body: { message: tooManyDrawsText(20 * 3600) }
    })
    expect(await readDraws(shop)).toHaveLength(2)
    await expectOk(draw(shop, last, 'murukku'))
    await expectOk(draw(shop, verified))
    await expectOk(draw(shop, last, 'laddu', '198.51.100.7'))
  })
})

test.for(BOTH_ENGINES)(
  'Drawn discounts are one for many parallel requests from two devices on %s',
  async engine => {
    const shop = await openShop(engine, { products, deals })
    const tokens = [(await register(shop)).token, sessionOf(await logIn(shop)).token]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => draw(shop, tokens[n % 2] ?? ''))
    )
    expect(new Set(replies.map(percentOf)).size).toBe(1)
    expect(await readDraws(shop)).toHaveLength(1)
  }
)

describe.each(ENGINES)('Drawn discounts on %s', engine => {
  test('are new for the next deal of the product', async () => {
    const shop = await openShop(engine, { products, deals, randomInt: (_, limit) => limit - 1 })
    const { token } = await register(shop)
    expect(percentOf(await draw(shop, token))).toBe(20)
    shop.clock.advance(HOUR)
    await shop.addToCatalog({ deals: { next: { product: 'laddu', percent: 30 } } })
    expect(await listMine(shop, token)).toEqual([])
    expect(percentOf(await draw(shop, token))).toBe(30)
  })

  test('are listed while their deal runs, used or not, at the current price, the first to end first', async () => {
    const shop = await openShop(engine, { products, deals })
    const { token } = await register(shop)
    for (const product of ['murukku', 'laddu']) await draw(shop, token, product)
    await shop.write(async trx => {
      await trx.updateTable('draws').set({ order_id: 'o-1' }).where('percent', '=', 1).execute()
      await trx
        .updateTable('products')
        .set({ price: toPaise(12_345) })
        .execute()
    })
    expect(await listMine(shop, token)).toMatchObject([
      { dealId: 'now', productId: 'laddu' },
      { dealId: 'longer', discount: 1, originalPrice: 123.45, price: 122.22, used: true }
    ])
    shop.clock.advance(HOUR)
    expect(await listMine(shop, token)).toMatchObject([{ dealId: 'longer' }])
  })
})

/** Each draw has another percentage. */
async function openDeals(engine: Engine) {
  let drawn = 0
  const now = { product: 'laddu', percent: 90 }
  return openShop(engine, { products, deals: { now }, randomInt: () => ++drawn })
}
const deleteAccount = (shop: Shop, token: string) =>
  call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })

describe.each(ENGINES)('A person with several accounts on %s', engine => {
  test('draws one discount, because providers ignore tags, and Gmail dots', async () => {
    const shop = await openDeals(engine)
    for (const [first, second] of [
      ['meena.raja@gmail.com', 'm.e.enaraja+deals@googlemail.com'],
      ['meena@example.com', 'meena+2@example.com']
    ] as const) {
      const [token, other] = [await registerAs(shop, first), await registerAs(shop, second)]
      const replies: Reply[] = []
      for (const drawing of [token, other, token]) replies.push(await draw(shop, drawing))
      expect(new Set(replies.map(percentOf)).size).toBe(1)
    }
    expect(await readDraws(shop)).toHaveLength(2)
  })

  test('uses the discount once', async () => {
    const shop = await openCheckoutShop(engine, { products, deals: { now: { product: 'laddu' } } })
    const [anita, again] = [await addShopper(shop, 'anita'), await addShopper(shop, 'anita+2')]
    const line = { product: 'laddu', quantity: 1, dealId: 'now' }
    const { price } = Discount.parse((await draw(shop, anita.token)).body)
    const { orderId } = await openPayment(shop, anita, { items: [line], amount: price })
    const usedBy = async (shopper: Shopper) =>
      Discount.parse((await draw(shop, shopper.token)).body).used
    expect(await usedBy(again)).toBe(true)
    await expectOutcome(
      requestPayment(shop, again, { items: [line], amount: price }),
      '409 PRICE_CHANGED'
    )
    await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    expect(await usedBy(again)).toBe(false)
    await buy(shop, again, [line])
    expect([await usedBy(anita), await usedBy(again)]).toEqual([true, true])
    expect(await shop.violations()).toEqual([])
  })

  test('is forgotten when the deal has ended', async () => {
    const shop = await openDeals(engine)
    const { token } = await register(shop)
    await draw(shop, token)
    await draw(shop, await registerAs(shop, 'bala@example.com'))
    await deleteAccount(shop, token)
    shop.clock.advance(HOUR)
    await deleteExpired(shop.app)
    expect(await readDraws(shop)).toEqual([expect.objectContaining({ percent: 2, person: null })])
  })
})

describe('A person with several accounts', () => {
  test('is not assumed for addresses that differ in more than a tag', async () => {
    const shop = await openDeals('sqlite')
    for (const [index, email] of [
      'meena.raja@example.com',
      'meenaraja@example.com',
      'meenaraja@example.org',
      '+1@example.com',
      '+2@example.com'
    ].entries())
      expect(percentOf(await draw(shop, await registerAs(shop, email)))).toBe(index + 1)
  })

  test('finds the old discount after the account was deleted and registered again', async () => {
    const shop = await openDeals('sqlite')
    const { token } = await register(shop)
    await draw(shop, token)
    await expectOk(deleteAccount(shop, token))
    expect(JSON.stringify(await readDraws(shop))).not.toContain('anita')
    shop.clock.advance(1)
    expect(percentOf(await draw(shop, (await register(shop)).token))).toBe(1)
    const verified = await logInByCode(shop)
    expect(await listMine(shop, verified.token)).toMatchObject([{ discount: 1 }])
  })

  test('cannot take the discount of a verified address with an unverified one', async () => {
    const shop = await openDeals('sqlite')
    const { token } = await logInByCode(shop)
    await draw(shop, token)
    const other = await registerAs(shop, 'anita+stranger@example.com')
    expect(percentOf(await draw(shop, other))).toBe(2)
    expect(await listMine(shop, token)).toMatchObject([{ discount: 1 }])
  })
})
