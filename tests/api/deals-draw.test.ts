import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Discount } from '#lib/contract/promotions.ts'
import type { ErrorBody } from '#lib/errors.ts'
import { tooManyDrawsText } from '#lib/messages.ts'
import { toPaise } from '#lib/money.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { drawDiscount } from '#server/deals/draws.ts'
import {
  ANITA,
  call,
  logIn,
  logInAsAdmin,
  logInByCode,
  statusAndCode,
  register,
  sessionOf
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { seededInt } from '../support/random.ts'
import { openShop, START_TIME, type Reply, type Shop } from '../support/shop.ts'

const products = { laddu: { price: 180.05 }, murukku: { price: 90 }, thattai: {}, halwa: {} }
const deals = {
  now: { product: 'laddu', percent: 20, to: HOUR },
  longer: { product: 'murukku', percent: 1, to: 2 * HOUR },
  ended: { product: 'thattai', from: -2 * HOUR, to: 0 },
  future: { product: 'halwa', from: HOUR, to: 2 * HOUR }
}
const BALA = { email: 'bala@example.com' }

const draw = (shop: Shop, token: string, product = 'laddu', ip?: string): Promise<Reply> =>
  call(shop, `POST /flash-deals/generate/${product}`, { token, ...(ip && { ip }) })
const percentOf = (reply: Reply): number => Discount.parse(reply.body).discount
const listMyDiscounts = async (shop: Shop, token: string): Promise<Discount[]> =>
  z.array(Discount).parse((await call(shop, 'GET /flash-deals/mine', { token })).body)
const readDraws = ({ database }: Shop): Promise<unknown[]> =>
  database.kysely.selectFrom('draws').selectAll().execute()

describe('POST /flash-deals/generate/{productId}', () => {
  test("returns a discount of at most the deal's percentage, with price and end time", async () => {
    const shop = await openShop('sqlite', { products, deals, randomInt: seededInt(7) })
    const { token } = await register(shop)
    shop.clock.advance(MINUTE)
    const reply = await draw(shop, token)
    const { discount } = Discount.parse(reply.body)
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(discount).toBeGreaterThanOrEqual(1)
    expect(discount).toBeLessThanOrEqual(20)
    expect(reply.body).toEqual({
      dealId: 'now',
      productId: 'laddu',
      discount,
      price: Math.round(180.05 * (100 - discount)) / 100,
      originalPrice: 180.05,
      endTime: '2026-11-21T05:00:00.000Z',
      used: false,
      serverTime: '2026-11-21T04:01:00.000Z'
    })
  })

  test('returns whole percentages up to the one of the deal, and 0 if that is less than 1', async () => {
    const shop = await openShop('sqlite', { products, randomInt: (_min, max) => max - 1 })
    const admin = await logInAsAdmin(shop)
    const { token } = await register(shop)
    const times = { startTime: START_TIME, endTime: new Date(shop.clock() + HOUR).toISOString() }
    for (const [productId, discountPercentage] of [
      ['laddu', 12.5],
      ['murukku', 0.5],
      ['halwa', 0]
    ] as const) {
      const body = { productId, discountPercentage, ...times }
      expect(
        (await call(shop, 'POST /discounted-products', { token: admin.token, body })).status
      ).toBe(201)
    }
    expect((await draw(shop, token)).body).toMatchObject({ discount: 12, price: 158.44 })
    expect((await draw(shop, token, 'murukku')).body).toMatchObject({
      discount: 0,
      price: 90,
      used: false
    })
    expect(percentOf(await draw(shop, token, 'halwa'))).toBe(0)
    expect(await listMyDiscounts(shop, token)).toHaveLength(1)
  })

  test('requires a session', async () => {
    const shop = await openShop('sqlite', { products, deals })
    for (const line of ['POST /flash-deals/generate/laddu', 'GET /flash-deals/mine']) {
      expect(statusAndCode(await call(shop, line)), line).toBe('401 UNAUTHORIZED')
      expect(statusAndCode(await call(shop, line, { token: 'nobody' })), line).toBe(
        '401 UNAUTHORIZED'
      )
    }
    expect(await readDraws(shop)).toEqual([])
  })

  test('returns the same discount for repeated requests from any device', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const { token } = await register(shop)
    const first = percentOf(await draw(shop, token))
    const { token: secondToken } = sessionOf(await logIn(shop))
    for (const device of [token, secondToken, token, secondToken])
      expect(percentOf(await draw(shop, device))).toBe(first)
    expect(
      (await listMyDiscounts(shop, secondToken)).map(({ dealId, discount }) => [dealId, discount])
    ).toEqual([['now', first]])
  })

  test('draws a separate discount for each shopper', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const [anita, bala] = [await register(shop), await register(shop, BALA)]
    await draw(shop, anita.token)
    expect(await listMyDiscounts(shop, bala.token)).toEqual([])
    await draw(shop, bala.token)
    expect(await readDraws(shop)).toHaveLength(2)
  })

  test.for([
    ['thattai', '409 DEAL_ENDED', 'This deal has ended.'],
    ['halwa', '409 DEAL_NOT_STARTED', 'This deal has not started yet.'],
    ['pizza', '404 DEAL_NOT_FOUND', 'There is no deal for this product.'],
    ['laddu%00', '404 NOT_FOUND', 'Not found.']
  ])('refuses the product %s with %s: %s', async ([product = '', refusal, message]) => {
    const shop = await openShop('sqlite', { products, deals })
    const { token } = await register(shop)
    const reply = await draw(shop, token, product)
    expect([statusAndCode(reply), (reply.body as ErrorBody).message]).toEqual([refusal, message])
    expect(await readDraws(shop)).toEqual([])
  })

  test("refuses requests before the deal starts and after it ends, according to the server's clock", async () => {
    const shop = await openShop('sqlite', { products, deals })
    const { token } = await register(shop)
    shop.clock.advance(HOUR - 1)
    expect(statusAndCode(await draw(shop, token, 'halwa'))).toBe('409 DEAL_NOT_STARTED')
    expect(statusAndCode(await draw(shop, token))).toBe('200')
    shop.clock.advance(1)
    expect(statusAndCode(await draw(shop, token))).toBe('409 DEAL_ENDED')
    expect(statusAndCode(await draw(shop, token, 'halwa'))).toBe('200')
  })

  test('refuses a hidden product, and its drawn discounts are not listed while the product is hidden', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const { token } = await register(shop)
    await draw(shop, token)
    const setHiddenAt = (hidden_at: string | null): Promise<unknown> =>
      shop.write(trx =>
        trx.updateTable('products').set({ hidden_at }).where('id', '=', 'laddu').execute()
      )
    await setHiddenAt(START_TIME)
    expect(statusAndCode(await draw(shop, token))).toBe('404 DEAL_NOT_FOUND')
    expect(await listMyDiscounts(shop, token)).toEqual([])
    await setHiddenAt(null)
    expect(await listMyDiscounts(shop, token)).toHaveLength(1)
  })

  test('draws 60 discounts per deal, network and day for accounts with an unverified email', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const tokens: string[] = []
    for (let n = 0; n < 61; n++)
      tokens.push((await register(shop, { email: `a${n}@example.com` })).token)
    const [first = '', last = ''] = [tokens[0], tokens[60]]
    for (const token of tokens.slice(0, 60))
      expect(statusAndCode(await draw(shop, token))).toBe('200')
    for (let n = 0; n < 9; n++) expect(statusAndCode(await draw(shop, first))).toBe('200')
    expect(await draw(shop, last)).toMatchObject({
      status: 429,
      body: { message: tooManyDrawsText(20 * 3600) }
    })
    expect(await readDraws(shop)).toHaveLength(60)
    expect(statusAndCode(await draw(shop, last, 'murukku'))).toBe('200')
    expect(statusAndCode(await draw(shop, (await logInByCode(shop, BALA.email)).token))).toBe('200')
    expect(statusAndCode(await draw(shop, last, 'laddu', '198.51.100.7'))).toBe('200')
  })
})

describe.each(ENGINES)('POST /flash-deals/generate/{productId} on %s', engine => {
  test('draws only one discount for a hundred parallel requests from two devices', async () => {
    const shop = await openShop(engine, {
      products,
      deals: { now: { product: 'laddu', percent: 100 } }
    })
    const tokens = [(await register(shop)).token, sessionOf(await logIn(shop)).token]
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        draw(shop, tokens[n % 2] ?? '', 'laddu', `198.51.100.${n}`)
      )
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(percentOf)).size).toBe(1)
    expect(await readDraws(shop)).toEqual([
      expect.objectContaining({
        deal_id: 'now',
        percent: replies[0] && percentOf(replies[0]),
        order_id: null
      })
    ])
  })

  test('draws a new discount for the next deal of the product', async () => {
    const shop = await openShop(engine, { products, deals, randomInt: (_, limit) => limit - 1 })
    const { token } = await register(shop)
    expect(percentOf(await draw(shop, token))).toBe(20)
    shop.clock.advance(HOUR)
    await shop.addToCatalog({ deals: { next: { product: 'laddu', percent: 30 } } })
    expect((await listMyDiscounts(shop, token)).map(({ dealId }) => dealId)).toEqual([])
    expect(percentOf(await draw(shop, token))).toBe(30)
  })
})

describe('GET /flash-deals/mine', () => {
  test('uses the current catalogue price', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const { token } = await register(shop)
    await draw(shop, token, 'murukku')
    await shop.write(trx =>
      trx
        .updateTable('products')
        .set({ price: toPaise(12_345) })
        .where('id', '=', 'murukku')
        .execute()
        .then(() => undefined)
    )
    expect((await listMyDiscounts(shop, token))[0]).toMatchObject({
      originalPrice: 123.45,
      price: 122.22
    })
  })
})

describe.each(ENGINES)('GET /flash-deals/mine on %s', engine => {
  test('returns used and unused discounts of running deals, sorted by end time', async () => {
    const shop = await openShop(engine, { products, deals })
    const { token, user } = await register(shop)
    expect(await listMyDiscounts(shop, token)).toEqual([])
    await draw(shop, token, 'murukku')
    await draw(shop, token)
    await shop.write(trx =>
      trx
        .updateTable('draws')
        .set({ order_id: 'o-1' })
        .where('deal_id', '=', 'longer')
        .execute()
        .then(() => undefined)
    )
    const discounts = await listMyDiscounts(shop, token)
    expect(discounts.map(({ dealId, productId, used }) => [dealId, productId, used])).toEqual([
      ['now', 'laddu', false],
      ['longer', 'murukku', true]
    ])
    expect(discounts[1]).toMatchObject({
      discount: 1,
      price: 89.1,
      originalPrice: 90,
      serverTime: START_TIME
    })
    expect(statusAndCode(await draw(shop, token, 'murukku'))).toBe('200')
    shop.clock.advance(HOUR)
    expect((await listMyDiscounts(shop, token)).map(({ dealId }) => dealId)).toEqual(['longer'])
    expect(user.email).toBe(ANITA.email)
  })
})

describe('Distribution of drawn discounts', () => {
  const DRAWS = 2000
  const PERCENT = 20
  /** Chi-square critical value for 19 degrees of freedom at p = 0.001. */
  const CRITICAL_VALUE = 43.82

  test("is uniform from 1 to the deal's percentage", async () => {
    const shop = await openShop('sqlite', {
      products,
      deals: { now: { product: 'laddu', percent: PERCENT } }
    })
    const shoppers = Array.from({ length: DRAWS }, (_, n) => `u${n}`)
    await shop.write(async trx => {
      for (let n = 0; n < DRAWS; n += 500)
        await trx
          .insertInto('users')
          .values(shoppers.slice(n, n + 500).map(createUserRow))
          .execute()
    })
    const { database, write, clock } = shop
    const deps = {
      database,
      write,
      clock,
      randomInt: seededInt(20261121),
      codeSecret: shop.app.codeSecret
    }
    const counts = new Map<number, number>()
    for (let n = 0; n < DRAWS; n += 500) {
      const discounts = await Promise.all(
        shoppers.slice(n, n + 500).map((_id, index) => {
          const user = { _id, email: `${_id}@example.com`, verified: false }
          const ip = `10.0.${n / 500}.${index % 250}`
          return drawDiscount(deps, user, { productId: 'laddu', ip })
        })
      )
      for (const { discount } of discounts) counts.set(discount, (counts.get(discount) ?? 0) + 1)
    }
    const expected = DRAWS / PERCENT
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0
    )
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: PERCENT }, (_, n) => n + 1)
    )
    expect(chiSquare).toBeLessThan(CRITICAL_VALUE)
  }, 60_000)
})

function createUserRow(id: string) {
  return {
    id,
    email: `${id}@example.com`,
    name: id,
    staff: null,
    phone: '',
    address: null,
    password_hash: null,
    verified_at: null,
    created_at: START_TIME,
    deleted_at: null
  }
}
