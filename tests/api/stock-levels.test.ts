import { describe, expect, test } from 'vitest'
import { readSiteContent } from '#server/publishing/public-data.ts'
import { MINUTE, SECOND } from '#lib/time.ts'
import { showDueStockLevels } from '#server/catalog/stock-levels.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import {
  addCustomer,
  callAs,
  openCheckoutShop,
  openPayment,
  type Shopper
} from '../support/checkout.ts'

const LADDU = 'laddu'

async function openSweetShop(engine: Engine) {
  const products = { [LADDU]: { stock: 12 }, murukku: {} }
  const shop = await openCheckoutShop(engine, { products, deals: { today: { product: LADDU } } })
  const { kysely } = shop.database
  const openOrders = new Map<string, string>()
  return {
    ...shop,
    addShopper: () => addCustomer(shop, [{ product: 'murukku', quantity: 1 }]),
    async reserve(shopper: Shopper, quantity: number): Promise<void> {
      const { orderId } = await openPayment(shop, shopper, {
        items: [{ product: LADDU, quantity }]
      })
      openOrders.set(shopper.id, orderId)
    },
    async cancel(shopper: Shopper): Promise<void> {
      const reply = await callAs(shopper, shop, `POST /orders/${openOrders.get(shopper.id)}/cancel`)
      expect(reply.status).toBe(200)
    },
    /** Runs the job of any process, for example of one that was started after the sale. */
    runJob: () => showDueStockLevels({ ...shop, write: shop.writeFromOtherProcess }),
    catalogVersion: () => readCounter(kysely, 'catalog'),
    /**
     * Returns what pages show when they are published, and what they show after they are loaded.
     */
    async levels(): Promise<[onPages: string | undefined, live: string | undefined]> {
      const { products, deals } = await readSiteContent(kysely, shop.clock())
      const live = (await shop.get(`/catalog/live?ids=${LADDU}`)).body as {
        products: { stock: string }[]
      }
      for (const { product } of deals)
        expect(product.stock).toBe(products.find(({ id }) => id === product._id)?.stock)
      const stock = products.find(({ id }) => id === LADDU)?.stock ?? -1
      return [['out', 'low'][stock] ?? 'in', live.products[0]?.stock]
    }
  }
}

describe.each(ENGINES)('Stock levels on pages on %s', engine => {
  test('change at once, but not again within two minutes, while the live catalogue follows each sale', async () => {
    const shop = await openSweetShop(engine)
    const shopper = await shop.addShopper()
    const before = await shop.catalogVersion()
    await shop.reserve(shopper, 8)
    expect(await shop.levels()).toEqual(['low', 'low'])
    expect(await shop.catalogVersion()).toBe(before + 1)
    for (let round = 0; round < 4; round++) {
      await shop.cancel(shopper)
      expect(await shop.levels()).toEqual(['low', 'in'])
      shop.clock.advance(10 * SECOND)
      await shop.reserve(shopper, 8)
      await shop.runJob()
    }
    await shop.cancel(shopper)
    await shop.runJob()
    expect(await shop.levels()).toEqual(['low', 'in'])
    expect(await shop.catalogVersion()).toBe(before + 1)
  })

  test('tell at once that a product is sold out, and only later that it is back', async () => {
    const shop = await openSweetShop(engine)
    const [first, second] = [await shop.addShopper(), await shop.addShopper()]
    await shop.reserve(first, 8)
    await shop.reserve(second, 4)
    expect(await shop.levels()).toEqual(['out', 'out'])
    const before = await shop.catalogVersion()
    await shop.cancel(second)
    expect(await shop.levels()).toEqual(['out', 'low'])
    await shop.reserve(second, 4)
    expect(await shop.catalogVersion()).toBe(before)
    await shop.cancel(second)
    shop.clock.advance(2 * MINUTE)
    await shop.runJob()
    expect(await shop.levels()).toEqual(['low', 'low'])
    shop.clock.advance(SECOND)
    await shop.reserve(second, 4)
    expect(await shop.levels()).toEqual(['out', 'out'])
  })
})

describe('Stock levels on pages', () => {
  test('show the delayed level after two minutes without a new sale', async () => {
    const shop = await openSweetShop('sqlite')
    const shopper = await shop.addShopper()
    await shop.reserve(shopper, 8)
    await shop.cancel(shopper)
    const before = await shop.catalogVersion()
    shop.clock.advance(2 * MINUTE - 1)
    await shop.runJob()
    expect(await shop.levels()).toEqual(['low', 'in'])
    shop.clock.advance(1)
    await Promise.all([shop.runJob(), shop.runJob()])
    expect(await shop.levels()).toEqual(['in', 'in'])
    shop.clock.advance(2 * MINUTE)
    await shop.runJob()
    await shop.runJob()
    expect(await shop.catalogVersion()).toBe(before + 1)
    expect(await shop.database.kysely.selectFrom('stock_words').selectAll().execute()).toEqual([])
  })
})

test('Stock levels on pages follow a change by an administrator at once', async () => {
  const shop = await openSweetShop('sqlite')
  const shopper = await shop.addShopper()
  await shop.reserve(shopper, 8)
  const { token } = await logInAsAdmin(shop)
  const body = { version: 1, stock: { from: 4, to: 40 } }
  expect((await call(shop, `PATCH /admin/products/${LADDU}`, { token, body })).status).toBe(200)
  expect(await shop.levels()).toEqual(['in', 'in'])
})

test('Stock levels that were written while a clock was wrong do not stay', async () => {
  const shop = await openSweetShop('sqlite')
  const shopper = await shop.addShopper()
  shop.clock.advance(60 * MINUTE)
  await shop.reserve(shopper, 8)
  await shop.cancel(shopper)
  shop.clock.advance(-60 * MINUTE)
  await shop.runJob()
  expect(await shop.levels()).toEqual(['in', 'in'])
})
