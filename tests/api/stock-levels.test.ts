import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { readCounters, STOCK_LEVELS } from '#server/platform/db/counters.ts'
import { planPublish } from '#server/publishing/plan.ts'
import { readSiteContent } from '#server/publishing/public-data.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import {
  addCustomer,
  callAs,
  openCheckoutShop,
  openPayment,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'

const LADDU = 'laddu'

async function openSweetShop(engine: Engine) {
  const products = { [LADDU]: { stock: 12 }, murukku: {} }
  const shop = await openCheckoutShop(engine, { products, deals: { today: { product: LADDU } } })
  const { kysely } = shop.database
  return {
    ...shop,
    shopper: await addCustomer(shop, [{ product: 'murukku', quantity: 1 }]),
    async reserve(shopper: Shopper, quantity: number): Promise<string> {
      const items = [{ product: LADDU, quantity }]
      return (await openPayment(shop, shopper, { items })).orderId
    },
    readCounters: () => readCounters(kysely, ['catalog', STOCK_LEVELS]),
    /**
     * Returns what pages show when they are published, and what they show after they are loaded.
     */
    async levels(): Promise<[onPages: string | undefined, live: string | undefined]> {
      const { products, deals } = await readSiteContent(kysely, shop.clock())
      const { body } = await shop.get(`/catalog/live?ids=${LADDU}`)
      const [live] = (body as { products: { stock: string }[] }).products
      const stock = products.find(({ id }) => id === LADDU)?.stock ?? -1
      for (const { product } of deals) expect(product.stock).toBe(stock)
      return [['out', 'low'][stock] ?? 'in', live?.stock]
    }
  }
}

describe.each(ENGINES)('Stock levels on %s', engine => {
  test('are published after a sale only if one of them has changed', async () => {
    const shop = await openSweetShop(engine)
    const before = await shop.readCounters()
    const first = await shop.reserve(shop.shopper, 1)
    expect(await shop.readCounters()).toEqual(before)
    await callAs(shop.shopper, shop, `POST /orders/${first}/cancel`)
    await shop.reserve(shop.shopper, 8)
    expect(await shop.levels()).toEqual(['low', 'low'])
    const { catalog, [STOCK_LEVELS]: levels = 0 } = await shop.readCounters()
    expect({ catalog, levels }).toEqual({
      catalog: before.catalog,
      levels: (before[STOCK_LEVELS] ?? 0) + 1
    })
  })

  test('are published at once after a change by an administrator', async () => {
    const shop = await openSweetShop(engine)
    await shop.reserve(shop.shopper, 8)
    const { catalog = 0 } = await shop.readCounters()
    const { token } = await logInAsAdmin(shop)
    const body = { version: 1, stock: { from: 4, to: 40 } }
    const reply = await call(shop, `PATCH /admin/products/${LADDU}`, { token, body })
    expect(reply.status).toBe(200)
    expect(await shop.levels()).toEqual(['in', 'in'])
    expect((await shop.readCounters()).catalog).toBeGreaterThan(catalog)
  })
})

test('Sales change the stock levels of pages at most every two minutes', () => {
  const at = Date.parse('2026-11-21T04:00:00Z')
  const live = { id: 'r', createdAt: '', code: 'c', counter: 1, levels: 1, failed: [] }
  const planAt = (now: number, levels: number) =>
    planPublish({
      now,
      counter: 1,
      levels,
      live,
      shown: { counter: 1, levels: 1, at },
      nextPriceChange: undefined,
      code: 'c',
      baseCode: 'c',
      hasRequests: false
    })
  expect(planAt(at + 2 * MINUTE, 1)).toBe('nothing')
  expect(planAt(at + 2 * MINUTE - 1, 2)).toBe('nothing')
  expect(planAt(at + 2 * MINUTE, 2)).toBe('render')
})
