import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { AuditEntry } from '#lib/contract/admin.ts'
import { AdminDeal } from '#lib/contract/promotions.ts'
import type { ErrorBody } from '#lib/errors.ts'
import { HOUR } from '#lib/time.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { logInAsAdmin, call, statusAndCode, register } from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, START_TIME, type Reply, type Shop } from '../support/shop.ts'

const startPlus = (ms: number): string => new Date(Date.parse(START_TIME) + ms).toISOString()
const TERMS = {
  version: 1,
  discountPercentage: 10,
  startTime: startPlus(0),
  endTime: startPlus(4 * HOUR)
}

interface DealShop {
  shop: Shop
  callAsAdmin(line: string, body?: unknown): Promise<Reply>
  change(terms?: object): Promise<Reply>
  fetchDeal(): Promise<AdminDeal | undefined>
  readCatalogVersion(): Promise<number>
}

async function openDealShop(engine: Engine): Promise<DealShop> {
  const shop = await openShop(engine, { products: { laddu: { price: 180 }, murukku: {} } })
  const { token } = await logInAsAdmin(shop)
  const callAsAdmin: DealShop['callAsAdmin'] = (line, body) =>
    call(shop, line, { token, ...(body !== undefined && { body }) })
  const { version: _, ...terms } = TERMS
  const { id } = AdminDeal.parse(
    (await callAsAdmin('POST /discounted-products', { productId: 'laddu', ...terms })).body
  )
  return {
    shop,
    callAsAdmin,
    change: (terms = {}) => callAsAdmin(`PATCH /discounted-products/${id}`, { ...TERMS, ...terms }),
    fetchDeal: async () =>
      z
        .array(AdminDeal)
        .parse((await callAsAdmin('GET /discounted-products')).body)
        .find(deal => deal.id === id),
    readCatalogVersion: () => readCounter(shop.database.kysely, 'catalog')
  }
}

describe('PATCH /discounted-products/{id}', () => {
  test('changes the public deal and records the old and new values in the audit log', async () => {
    const { shop, change, fetchDeal, callAsAdmin, readCatalogVersion } =
      await openDealShop('sqlite')
    const versionBefore = await readCatalogVersion()
    const reply = await change({ discountPercentage: 20, endTime: startPlus(5 * HOUR) })
    expect([reply.status, reply.body]).toEqual([200, await fetchDeal()])
    expect(await fetchDeal()).toMatchObject({
      version: 2,
      currentPrice: 144,
      endTime: startPlus(5 * HOUR)
    })
    expect((await shop.get('/discounted-products')).body).toEqual([
      expect.objectContaining({ discountPercentage: 20, endTime: startPlus(5 * HOUR) })
    ])
    expect(await readCatalogVersion()).toBe(versionBefore + 1)
    const { body } = await callAsAdmin(`GET /admin/audit?kind=deal&id=${(await fetchDeal())?.id}`)
    expect(body as AuditEntry[]).toContainEqual(
      expect.objectContaining({
        action: 'changed',
        before: { discountPercentage: 10, endTime: startPlus(4 * HOUR) },
        after: { discountPercentage: 20, endTime: startPlus(5 * HOUR) }
      })
    )
  })

  test('refuses an outdated version unless the deal already has the new values', async () => {
    const { change, fetchDeal, readCatalogVersion } = await openDealShop('sqlite')
    await change({ discountPercentage: 20 })
    const versionBefore = await readCatalogVersion()
    expect(statusAndCode(await change({ discountPercentage: 30 }))).toBe('409 EDIT_CONFLICT')
    expect(statusAndCode(await change({ discountPercentage: 20 }))).toBe('200')
    expect(await fetchDeal()).toMatchObject({ version: 2, discountPercentage: 20 })
    expect(await readCatalogVersion()).toBeLessThanOrEqual(versionBefore + 1)
  })

  test.for([
    [{ discountPercentage: -1 }, /from 0 to 100/],
    [{ discountPercentage: 101 }, /from 0 to 100/],
    [{ startTime: startPlus(4 * HOUR) }, /must end after it starts/],
    [{ startTime: startPlus(-2 * HOUR), endTime: startPlus(-HOUR) }, /must end in the future/],
    [{ endTime: 'tomorrow' }, /enter a date and time/],
    [{ endTime: undefined }, /enter a date and time/]
  ] as const)('refuses the invalid fields %o and returns the reason', async ([terms, reason]) => {
    const { change, fetchDeal } = await openDealShop('sqlite')
    const reply = await change(terms)
    expect([statusAndCode(reply), (reply.body as ErrorBody).message]).toEqual([
      '400 INVALID_INPUT',
      expect.stringMatching(reason)
    ])
    expect((await fetchDeal())?.version).toBe(1)
  })

  test('refuses to change an ended or deleted deal', async () => {
    const { shop, callAsAdmin, change, fetchDeal } = await openDealShop('sqlite')
    shop.clock.advance(4 * HOUR)
    expect(statusAndCode(await change({ endTime: startPlus(5 * HOUR) }))).toBe('409 DEAL_ENDED')
    expect(statusAndCode(await change())).toBe('200')
    await callAsAdmin(`DELETE /discounted-products/${(await fetchDeal())?.id}`)
    expect(statusAndCode(await change())).toBe('404 DEAL_NOT_FOUND')
  })

  test('changes the deal of a hidden product and still shows it only to administrators', async () => {
    const { shop, callAsAdmin, change, fetchDeal } = await openDealShop('sqlite')
    await callAsAdmin('PATCH /admin/products/laddu', { version: 1, hidden: true })
    expect(AdminDeal.parse((await change({ discountPercentage: 25 })).body).hidden).toBe(true)
    expect((await fetchDeal())?.discountPercentage).toBe(25)
    expect((await shop.get('/discounted-products')).body).toEqual([])
  })
})

describe.each(ENGINES)('PATCH /discounted-products/{id} on %s', engine => {
  test('keeps the percentage of drawn discounts and changes their end time', async () => {
    const { shop, change, fetchDeal } = await openDealShop(engine)
    const { token } = await register(shop)
    const drawn = (await call(shop, 'POST /flash-deals/generate/laddu', { token })).body
    expect((await fetchDeal())?.drawn).toBe(1)
    await change({ discountPercentage: 1, endTime: startPlus(6 * HOUR) })
    expect((await call(shop, 'GET /flash-deals/mine', { token })).body).toEqual([
      { ...(drawn as object), endTime: startPlus(6 * HOUR) }
    ])
  })

  test('accepts only one of several concurrent changes', async () => {
    const { change, fetchDeal } = await openDealShop(engine)
    const replies = await Promise.all(
      [20, 30, 40].map(discountPercentage => change({ discountPercentage }))
    )
    expect(replies.map(statusAndCode).toSorted()).toEqual([
      '200',
      '409 EDIT_CONFLICT',
      '409 EDIT_CONFLICT'
    ])
    expect((await fetchDeal())?.version).toBe(2)
  })

  test('refuses a period that overlaps another deal of the product, even if the product is hidden', async () => {
    const { callAsAdmin, change } = await openDealShop(engine)
    const next = {
      discountPercentage: 5,
      startTime: startPlus(5 * HOUR),
      endTime: startPlus(6 * HOUR)
    }
    await callAsAdmin('POST /discounted-products', { productId: 'laddu', ...next })
    await callAsAdmin('POST /discounted-products', { productId: 'murukku', ...next })
    expect(statusAndCode(await change({ endTime: startPlus(5 * HOUR + 1) }))).toBe(
      '409 DEAL_OVERLAPS'
    )
    await callAsAdmin('PATCH /admin/products/laddu', { version: 1, hidden: true })
    expect(statusAndCode(await change({ endTime: startPlus(5 * HOUR + 1) }))).toBe(
      '409 DEAL_OVERLAPS'
    )
    expect(statusAndCode(await change({ endTime: startPlus(5 * HOUR) }))).toBe('200')
  })
})
