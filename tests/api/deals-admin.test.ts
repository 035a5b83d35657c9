import { describe, expect, test } from 'vitest'
import { AdminDeal, DiscountedProduct } from '#lib/contract/promotions.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import {
  call,
  expectBody,
  expectOk,
  expectOutcome,
  register,
  statusAndCode
} from '../support/accounts.ts'
import { fieldsOf, openAdminShop } from '../support/admin-products.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { START_TIME, type Reply } from '../support/shop.ts'

const products = { laddu: { price: 180.05 }, murukku: {} }
const startPlus = (ms: number) => new Date(Date.parse(START_TIME) + ms).toISOString()
const TERMS = { discountPercentage: 10, startTime: startPlus(0), endTime: startPlus(4 * HOUR) }

async function openDealShop(engine: Engine = 'sqlite') {
  const shop = await openAdminShop(engine, { products })
  const { callAsAdmin } = shop
  const listAll = async () =>
    (await callAsAdmin('GET /discounted-products')).body as readonly AdminDeal[]
  return {
    ...shop,
    listAll,
    listPublic: async () => (await shop.get('/discounted-products')).body as DiscountedProduct[],
    create: (draft: object = {}): Promise<Reply> =>
      callAsAdmin('POST /discounted-products', { productId: 'laddu', ...TERMS, ...draft }),
    /** Changes the first deal. */
    change: async (terms: object = {}): Promise<Reply> => {
      const [deal] = await listAll()
      const body = { ...TERMS, version: deal?.version, ...terms }
      return callAsAdmin(`PATCH /discounted-products/${deal?.id}`, body)
    },
    readVersion: () => readCounter(shop.database.kysely, 'catalog')
  }
}

describe('A new deal', () => {
  test('is public with the catalogue price, whatever price was sent, at times of any UTC offset', async () => {
    const { create, listPublic, readVersion } = await openDealShop()
    const versionBefore = await readVersion()
    const reply = await create({ originalPrice: 999, startTime: '2026-11-21T09:30:00+05:30' })
    expect(reply.status).toBe(201)
    expect(AdminDeal.parse(reply.body)).toMatchObject({
      name: 'laddu',
      originalPrice: 180.05,
      currentPrice: 162.05,
      ...TERMS,
      version: 1,
      drawn: 0,
      hidden: false,
      serverTime: startPlus(0)
    })
    expect(await listPublic()).toEqual([DiscountedProduct.parse(reply.body)])
    expect(await readVersion()).toBe(versionBefore + 1)
  })

  test.for(ENGINES)('accepts 0 and halves on %s, and so does a change', async engine => {
    const { create, change, listPublic } = await openDealShop(engine)
    await expectBody(create({ discountPercentage: 12.5 }), {
      discountPercentage: 12.5,
      currentPrice: 157.54,
      discountedPrice: 158.44
    })
    const later = { discountPercentage: 0, endTime: startPlus(5 * HOUR) }
    const zero = await create({ productId: 'murukku', ...later })
    expect(zero).toMatchObject({ status: 201, body: { discountPercentage: 0, currentPrice: 100 } })
    // Shoppers could draw nothing from the other one.
    expect(await listPublic()).toMatchObject([{ discountPercentage: 12.5 }])
    for (const discountPercentage of [0.5, 99.99, 100, 0, 33.33])
      await expectBody(change({ discountPercentage }), { discountPercentage })
  })

  test('names each invalid field, and so does a change', async () => {
    const { create, change, listAll } = await openDealShop()
    const percent = { discountPercentage: expect.stringMatching(/from 0 to 100/) }
    const date = 'Please enter a date and time'
    const tooEarly = { endTime: 'The deal must end after it starts.' }
    const past = { startTime: startPlus(-HOUR), endTime: startPlus(0) }
    const wrong: readonly [terms: object, fields: object][] = [
      ...[-0.5, 100.5, 12.505, null].map(
        discountPercentage => [{ discountPercentage }, percent] as [object, object]
      ),
      [{ productId: ' ' }, { productId: 'Please choose a product' }],
      [{ startTime: undefined }, { startTime: date }],
      [{ endTime: '9999-12-31T23:59:59-05:00' }, { endTime: date }],
      [{ endTime: TERMS.startTime }, tooEarly],
      [past, { endTime: 'The deal must end in the future.' }]
    ]
    for (const [terms, fields] of wrong) expect(fieldsOf(await create(terms))).toEqual(fields)
    await expectOutcome(create({ productId: 'pizza' }), '404 PRODUCT_NOT_FOUND')
    expect(await listAll()).toEqual([])
    await create()
    for (const [terms, fields] of wrong.filter(([terms]) => !('productId' in terms)))
      expect(fieldsOf(await change(terms))).toEqual(fields)
    expect(await listAll()).toMatchObject([{ version: 1, ...TERMS }])
  })
})

describe.each(ENGINES)('Deals on %s', engine => {
  test('of one product do not overlap, except with one that has ended', async () => {
    const { create, change, changeProduct, clock } = await openDealShop(engine)
    const between = (from: number, to: number) => ({
      startTime: startPlus(from),
      endTime: startPlus(to)
    })
    await create(between(2 * HOUR, 3 * HOUR))
    for (const [from, to] of [
      [HOUR, 2 * HOUR + 1],
      [3 * HOUR - 1, 4 * HOUR],
      [HOUR, 4 * HOUR],
      [2 * HOUR + MINUTE, 2 * HOUR + 2 * MINUTE]
    ] as const)
      await expectBody(create(between(from, to)), {
        code: 'DEAL_OVERLAPS',
        message:
          'This product already has a deal from Sat, 21 Nov, 11:30 am to Sat, 21 Nov, 12:30 pm.'
      })
    for (const free of [between(HOUR, 2 * HOUR), between(3 * HOUR, 5 * HOUR)])
      await expectOutcome(create(free), '201')
    await expectOutcome(create({ productId: 'murukku' }), '201')
    await changeProduct('laddu', { version: 1, hidden: true })
    await expectOutcome(change(between(HOUR, 2 * HOUR + 1)), '409 DEAL_OVERLAPS')
    await expectOk(change(between(HOUR - 1, 2 * HOUR)))
    await changeProduct('laddu', { version: 2, hidden: false })
    clock.advance(5 * HOUR)
    await expectOutcome(create(between(0, 6 * HOUR)), '201')
  })

  test('are created once by parallel identical requests, and only one of several that overlap', async () => {
    const { create, listAll } = await openDealShop(engine)
    const same = await Promise.all([create(), create(), create()])
    expect(new Set(same.map(({ text }) => text)).size).toBe(1)
    const other = { productId: 'murukku' }
    const overlapping = await Promise.all(
      [5, 10, 15].map(discountPercentage => create({ ...other, discountPercentage }))
    )
    expect(overlapping.map(statusAndCode).toSorted()).toEqual([
      '201',
      '409 DEAL_OVERLAPS',
      '409 DEAL_OVERLAPS'
    ])
    expect(await listAll()).toHaveLength(2)
  })

  test('are deleted with their drawn discounts, from their current version, and the history tells it', async () => {
    const { callAsAdmin, create, listPublic, readVersion, ...shop } = await openDealShop(engine)
    const { token } = await register(shop)
    const { id } = (await create()).body as AdminDeal
    await call(shop, 'POST /flash-deals/generate/laddu', { token })
    const versionBefore = await readVersion()
    shop.clock.advance(MINUTE)
    const path = `DELETE /discounted-products/${id}`
    await expectOutcome(callAsAdmin(`${path}?version=2`), '409 EDIT_CONFLICT')
    expect(await listPublic()).toHaveLength(1)
    expect((await callAsAdmin(path)).body).toEqual({
      message: 'Discounted product deleted successfully'
    })
    expect(await listPublic()).toEqual([])
    expect(await readVersion()).toBe(versionBefore + 1)
    expect((await call(shop, 'GET /flash-deals/mine', { token })).body).toEqual([])
    await expectOutcome(callAsAdmin(path), '404 DEAL_NOT_FOUND')
    const deal = { productId: 'laddu', ...TERMS }
    const text = JSON.stringify(deal)
    expect(await shop.history(id, 'deal')).toEqual([`deleted ${text} null`, `created null ${text}`])
  })

  test('keep the percentage of drawn discounts when they change, but not the end time', async () => {
    const { create, change, listAll, listPublic, ...shop } = await openDealShop(engine)
    const { token } = await register(shop)
    await create()
    const drawn = (await call(shop, 'POST /flash-deals/generate/laddu', { token })).body
    expect(await listAll()).toMatchObject([{ drawn: 1 }])
    const after = { discountPercentage: 1, endTime: startPlus(6 * HOUR) }
    const versionBefore = await shop.readVersion()
    await expectBody(change(after), { version: 2, currentPrice: 178.25 })
    expect(await listPublic()).toMatchObject([after])
    expect(await shop.readVersion()).toBe(versionBefore + 1)
    expect((await call(shop, 'GET /flash-deals/mine', { token })).body).toEqual([
      { ...(drawn as object), endTime: after.endTime }
    ])
    const [{ id = '' } = {}] = await listAll()
    const { startTime: _, ...before } = TERMS
    expect(await shop.history(id, 'deal')).toContain(
      `changed ${JSON.stringify(before)} ${JSON.stringify(after)}`
    )
  })
})

test('A deal can’t be changed after its end', async () => {
  const { clock, create, change } = await openDealShop()
  await create()
  clock.advance(4 * HOUR)
  await expectOutcome(change({ endTime: startPlus(5 * HOUR) }), '409 DEAL_ENDED')
  await expectOk(change())
})
