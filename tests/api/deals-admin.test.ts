import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AdminDeal, DiscountedProduct } from '#lib/contract/promotions.ts'
import type { ErrorBody } from '#lib/errors.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { logInAsAdmin, call, statusAndCode, register } from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, START_TIME, type Reply, type Shop } from '../support/shop.ts'

const products = { laddu: { price: 180.05 }, murukku: {} }
const startPlus = (ms: number): string => new Date(Date.parse(START_TIME) + ms).toISOString()
const DRAFT = {
  productId: 'laddu',
  originalPrice: 999,
  discountPercentage: 10,
  startTime: startPlus(0),
  endTime: startPlus(HOUR)
}
const createDeal = (shop: Shop, token: string, draft: object = {}): Promise<Reply> =>
  call(shop, 'POST /discounted-products', { token, body: { ...DRAFT, ...draft } })
const listDeals = async (shop: Shop): Promise<DiscountedProduct[]> =>
  z.array(DiscountedProduct).parse((await shop.get('/discounted-products')).body)
const readCatalogVersion = ({ database }: Shop): Promise<number> =>
  readCounter(database.kysely, 'catalog')
const readVersion =
  (id: string) =>
  ({ body }: Reply): number | undefined =>
    z
      .array(AdminDeal)
      .parse(body)
      .find(deal => deal.id === id)?.version
const fieldsOf = (reply: Reply): unknown => (reply.body as ErrorBody).fields

describe('POST /discounted-products', () => {
  test('publishes the deal with the catalogue price and ignores the submitted price', async () => {
    const shop = await openShop('sqlite', { products })
    const { token } = await logInAsAdmin(shop)
    const versionBefore = await readCatalogVersion(shop)
    expect(await listDeals(shop)).toEqual([])
    const reply = await createDeal(shop, token)
    expect(reply.status).toBe(201)
    expect(AdminDeal.parse(reply.body)).toMatchObject({
      name: 'laddu',
      originalPrice: 180.05,
      currentPrice: 162.05,
      discountPercentage: 10,
      startTime: startPlus(0),
      endTime: startPlus(HOUR),
      version: 1,
      drawn: 0,
      hidden: false,
      serverTime: startPlus(0)
    })
    expect(await listDeals(shop)).toEqual([DiscountedProduct.parse(reply.body)])
    expect(await readCatalogVersion(shop)).toBe(versionBefore + 1)
  })

  test.for(ENGINES)('accepts 0 and halves on %s, and a change of them', async engine => {
    const shop = await openShop(engine, { products })
    const { token } = await logInAsAdmin(shop)
    const half = AdminDeal.parse((await createDeal(shop, token, { discountPercentage: 12.5 })).body)
    expect(half).toMatchObject({
      discountPercentage: 12.5,
      currentPrice: 157.54,
      discountedPrice: 158.44
    })
    const zero = await createDeal(shop, token, { productId: 'murukku', discountPercentage: 0 })
    expect(zero).toMatchObject({ status: 201, body: { discountPercentage: 0, currentPrice: 100 } })
    const listAll = async (): Promise<unknown> =>
      (await call(shop, 'GET /discounted-products', { token })).body
    expect(await listAll()).toMatchObject([{ discountPercentage: expect.any(Number) }, {}])
    // Shoppers could draw nothing from the other one.
    expect(await listDeals(shop)).toMatchObject([{ discountPercentage: 12.5 }])
    const { productId: _, ...terms } = DRAFT
    for (const discountPercentage of [0.5, 99.99, 100, 0, 33.33]) {
      const body = {
        ...terms,
        discountPercentage,
        version: await call(shop, 'GET /discounted-products', { token }).then(readVersion(half.id))
      }
      expect(
        (await call(shop, `PATCH /discounted-products/${half.id}`, { token, body })).body
      ).toMatchObject({
        discountPercentage
      })
    }
  })

  test.for([
    [{ discountPercentage: -0.5 }, { discountPercentage: expect.stringMatching(/from 0 to 100/) }],
    [{ discountPercentage: 100.5 }, { discountPercentage: expect.stringMatching(/from 0 to 100/) }],
    [
      { discountPercentage: 12.505 },
      { discountPercentage: expect.stringMatching(/from 0 to 100/) }
    ],
    [{ discountPercentage: null }, { discountPercentage: expect.stringMatching(/from 0 to 100/) }],
    [{ productId: ' ' }, { productId: 'Please choose a product' }],
    [{ startTime: 'tomorrow' }, { startTime: 'Please enter a date and time' }],
    [{ startTime: undefined }, { startTime: 'Please enter a date and time' }],
    [{ endTime: '9999-12-31T23:59:59-05:00' }, { endTime: 'Please enter a date and time' }],
    [{ endTime: DRAFT.startTime }, { endTime: 'The deal must end after it starts.' }],
    [{ startTime: startPlus(2 * HOUR) }, { endTime: 'The deal must end after it starts.' }],
    [
      { startTime: startPlus(-HOUR), endTime: startPlus(0) },
      { endTime: 'The deal must end in the future.' }
    ]
  ] as const)('refuses the invalid fields %o and returns the reason', async ([draft, fields]) => {
    const shop = await openShop('sqlite', { products })
    const { token } = await logInAsAdmin(shop)
    const reply = await createDeal(shop, token, draft)
    expect([statusAndCode(reply), fieldsOf(reply)]).toEqual(['400 INVALID_INPUT', fields])
    expect(await listDeals(shop)).toEqual([])
  })

  test('refuses an unknown product', async () => {
    const shop = await openShop('sqlite', { products })
    const { token } = await logInAsAdmin(shop)
    const versionBefore = await readCatalogVersion(shop)
    expect(statusAndCode(await createDeal(shop, token, { productId: 'pizza' }))).toBe(
      '404 PRODUCT_NOT_FOUND'
    )
    expect(await readCatalogVersion(shop)).toBe(versionBefore)
  })

  test('accepts times with any UTC offset', async () => {
    const shop = await openShop('sqlite', { products })
    const { token } = await logInAsAdmin(shop)
    const reply = await createDeal(shop, token, {
      startTime: '2026-11-21T09:30:00+05:30',
      endTime: '2026-11-21T05:00:00Z'
    })
    expect(reply.body).toMatchObject({ startTime: startPlus(0), endTime: startPlus(HOUR) })
  })

  test('accepts a new deal for a product whose earlier deal has ended', async () => {
    const shop = await openShop('sqlite', { products })
    const { token } = await logInAsAdmin(shop)
    await createDeal(shop, token)
    shop.clock.advance(HOUR)
    expect(statusAndCode(await createDeal(shop, token, { endTime: startPlus(2 * HOUR) }))).toBe(
      '201'
    )
  })
})

describe.each(ENGINES)('POST /discounted-products on %s', engine => {
  test('refuses a deal that overlaps another deal of the same product', async () => {
    const shop = await openShop(engine, { products })
    const { token } = await logInAsAdmin(shop)
    await createDeal(shop, token, { startTime: startPlus(2 * HOUR), endTime: startPlus(3 * HOUR) })
    const times: readonly [number, number][] = [
      [HOUR, 2 * HOUR + 1],
      [3 * HOUR - 1, 4 * HOUR],
      [HOUR, 4 * HOUR],
      [2 * HOUR + MINUTE, 2 * HOUR + 2 * MINUTE],
      [2 * HOUR, 3 * HOUR]
    ]
    for (const [from, to] of times) {
      const reply = await createDeal(shop, token, {
        discountPercentage: 15,
        startTime: startPlus(from),
        endTime: startPlus(to)
      })
      expect([statusAndCode(reply), (reply.body as ErrorBody).message]).toEqual([
        '409 DEAL_OVERLAPS',
        'This product already has a deal from Sat, 21 Nov, 11:30 am to Sat, 21 Nov, 12:30 pm.'
      ])
    }
    expect(
      statusAndCode(
        await createDeal(shop, token, { startTime: startPlus(HOUR), endTime: startPlus(2 * HOUR) })
      )
    ).toBe('201')
    expect(
      statusAndCode(
        await createDeal(shop, token, {
          startTime: startPlus(3 * HOUR),
          endTime: startPlus(4 * HOUR)
        })
      )
    ).toBe('201')
    expect(
      statusAndCode(
        await createDeal(shop, token, { productId: 'murukku', endTime: startPlus(4 * HOUR) })
      )
    ).toBe('201')
  })

  test('creates one deal for parallel identical requests', async () => {
    const shop = await openShop(engine, { products })
    const { token } = await logInAsAdmin(shop)
    const replies = await Promise.all([
      createDeal(shop, token),
      createDeal(shop, token),
      createDeal(shop, token)
    ])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await listDeals(shop)).toHaveLength(1)
  })

  test('creates only one of several overlapping deals that are submitted in parallel', async () => {
    const shop = await openShop(engine, { products })
    const { token } = await logInAsAdmin(shop)
    const replies = await Promise.all(
      [5, 10, 15, 20].map(discountPercentage => createDeal(shop, token, { discountPercentage }))
    )
    expect(replies.map(statusAndCode).toSorted()).toEqual([
      '201',
      ...Array<string>(3).fill('409 DEAL_OVERLAPS')
    ])
  })
})

describe('DELETE /discounted-products/{id}', () => {
  test('adds an entry for the deletion to the audit log', async () => {
    const shop = await openShop('sqlite', { products })
    const { token, user } = await logInAsAdmin(shop)
    const { id } = DiscountedProduct.parse((await createDeal(shop, token)).body)
    await createDeal(shop, token)
    shop.clock.advance(MINUTE)
    await call(shop, `DELETE /discounted-products/${id}`, { token })
    const { productId, discountPercentage, startTime, endTime } = DRAFT
    const deal = { productId, discountPercentage, startTime, endTime }
    const actor = { id: user._id, name: user.name }
    expect((await call(shop, `GET /admin/audit?kind=deal&id=${id}`, { token })).body).toMatchObject(
      [
        { action: 'deleted', at: startPlus(MINUTE), actor, before: deal, after: null },
        { action: 'created', at: startPlus(0), actor, before: null, after: deal }
      ]
    )
  })

  test('returns 404 for an unknown deal', async () => {
    const shop = await openShop('sqlite', { products })
    const { token } = await logInAsAdmin(shop)
    const versionBefore = await readCatalogVersion(shop)
    expect(statusAndCode(await call(shop, 'DELETE /discounted-products/none', { token }))).toBe(
      '404 DEAL_NOT_FOUND'
    )
    expect(await readCatalogVersion(shop)).toBe(versionBefore)
  })
})

describe.each(ENGINES)('DELETE /discounted-products/{id} on %s', engine => {
  test('removes the deal and its drawn discounts', async () => {
    const shop = await openShop(engine, { products, deals: { now: { product: 'laddu' } } })
    const [{ token: admin }, { token }] = [await logInAsAdmin(shop), await register(shop)]
    await call(shop, 'POST /flash-deals/generate/laddu', { token })
    const versionBefore = await readCatalogVersion(shop)
    const reply = await call(shop, 'DELETE /discounted-products/now', { token: admin })
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: 'Discounted product deleted successfully' }
    ])
    expect(await listDeals(shop)).toEqual([])
    expect(await readCatalogVersion(shop)).toBe(versionBefore + 1)
    expect((await call(shop, 'GET /flash-deals/mine', { token })).body).toEqual([])
    expect(statusAndCode(await call(shop, 'POST /flash-deals/generate/laddu', { token }))).toBe(
      '404 DEAL_NOT_FOUND'
    )
  })

  test('refuses a version other than the current one', async () => {
    const shop = await openShop(engine, { products, deals: { now: { product: 'laddu' } } })
    const { token } = await logInAsAdmin(shop)
    expect(
      statusAndCode(await call(shop, 'DELETE /discounted-products/now?version=2', { token }))
    ).toBe('409 EDIT_CONFLICT')
    expect(await listDeals(shop)).toHaveLength(1)
    expect(
      statusAndCode(await call(shop, 'DELETE /discounted-products/now?version=1', { token }))
    ).toBe('200')
  })
})
