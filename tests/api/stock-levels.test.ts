import { expect, onTestFinished, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { connect } from '#server/platform/db/connect.ts'
import { raiseCounter, readCounters, STOCK_LEVELS } from '#server/platform/db/counters.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { planPublish } from '#server/publishing/plan.ts'
import { readSiteContent } from '#server/publishing/public-data.ts'
import { expectBody } from '../support/accounts.ts'
import { addToCatalog } from '../support/catalog.ts'
import { withAdmin } from '../support/admin-products.ts'
import { addCustomer, callAs, openCheckoutShop, openPayment } from '../support/checkout.ts'
import { ENGINES, openEmptyDatabase, type Engine } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

async function openSweetShop(engine: Engine) {
  const products = { laddu: { stock: 12 }, murukku: {} }
  const deals = { today: { product: 'laddu' } }
  const shop = await withAdmin(await openCheckoutShop(engine, { products, deals }))
  const { kysely } = shop.database
  const shopper = await addCustomer(shop, [{ product: 'murukku', quantity: 1 }])
  return {
    ...shop,
    shopper,
    async reserve(quantity: number) {
      const items = [{ product: 'laddu', quantity }]
      return (await openPayment(shop, shopper, { items })).orderId
    },
    readVersions: () => readCounters(kysely, ['catalog', STOCK_LEVELS]),
    /** Returns what pages show when they are published, and what they show after they are loaded. */
    async levels() {
      const { products, deals } = await readSiteContent(kysely, shop.clock())
      const { body } = await shop.get('/catalog/live?ids=laddu')
      const [live] = (body as { products: { stock: string }[] }).products
      const stock = products.find(({ id }) => id === 'laddu')?.stock ?? -1
      for (const { product } of deals) expect(product.stock).toBe(stock)
      return [['out', 'low'][stock] ?? 'in', live?.stock]
    }
  }
}

test.for(ENGINES)(
  'Stock levels on %s are published after a sale only if one has changed, and at once after a change by the owner',
  async engine => {
    const { shopper, reserve, readVersions, levels, ...shop } = await openSweetShop(engine)
    const before = await readVersions()
    const first = await reserve(1)
    expect(await readVersions()).toEqual(before)
    await callAs(shopper, shop, `POST /orders/${first}/cancel`)
    await reserve(8)
    expect(await levels()).toEqual(['low', 'low'])
    const { catalog = 0, [STOCK_LEVELS]: known = 0 } = before
    expect(await readVersions()).toEqual({ catalog, [STOCK_LEVELS]: known + 1 })
    await shop.changeProduct('laddu', { version: 1, stock: { from: 4, to: 40 } })
    expect(await levels()).toEqual(['in', 'in'])
    expect((await readVersions()).catalog).toBeGreaterThan(catalog)
  }
)

test.for(ENGINES)(
  'A product on %s that is cooked to order is sold without limit, keeps its number, and gets back only packs that were taken from it',
  async engine => {
    const { shopper, reserve, levels, ...shop } = await openSweetShop(engine)
    const stocks = async () => [
      await shop.stockOf('laddu'),
      (await shop.fetchProduct('laddu')).stock
    ]
    const change = (from: number, to: number | null) =>
      shop.changeProduct('laddu', { version: 1, stock: { from, to } })
    await reserve(11)
    await change(1, null)
    await expectBody(shop.get('/products/laddu'), {
      stock: 99,
      cookedToOrder: true
    })
    expect(await levels()).toEqual(['in', 'in'])
    // The new checkout replaces the first one.
    const id = await reserve(99)
    expect(await stocks()).toEqual([12, 12])
    await change(12, 3)
    await callAs(shopper, shop, `POST /orders/${id}/cancel`)
    expect(await stocks()).toEqual([3, 3])
    expect(await levels()).toEqual(['low', 'low'])
  }
)

test('Sales change the stock levels of pages at most every two minutes', () => {
  const at = Date.parse('2026-11-21T04:00:00Z')
  const live = { id: 'r', createdAt: '', code: 'c', counter: 1, levels: 1, failed: [] }
  const shown = { counter: 1, levels: 1, at }
  const state = { counter: 1, live, shown, nextPriceChange: undefined, hasRequests: false }
  const planAt = (now: number, levels: number) =>
    planPublish({ ...state, now, levels, code: 'c', baseCode: 'c' })
  expect(planAt(at + 2 * MINUTE, 1)).toBe('nothing')
  expect(planAt(at + 2 * MINUTE - 1, 2)).toBe('nothing')
  expect(planAt(at + 2 * MINUTE, 2)).toBe('render')
})

test.for(ENGINES)(
  'The content of all pages on %s is that of one moment, although another process writes between the reads',
  async engine => {
    const database = await openEmptyDatabase(engine)
    await migrate(database.database)
    const { clock } = await openShop(engine, { products: { laddu: {} }, database })
    const other = connect({ databaseUrl: database.url })
    onTestFinished(() => other.close())
    const draft = { products: { murukku: {} }, deals: { now: { product: 'murukku' } } }
    let isDone = false
    const kysely = database.database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isDone && result.rows.some(row => row['id'] === 'laddu')) {
          isDone = true
          await createWrite(other)(async trx => {
            await raiseCounter(trx, 'catalog')
            await addToCatalog(trx, draft, clock())
          })
        }
        return result
      }
    })
    const readIds = async () => {
      const { products, deals } = await readSiteContent(kysely, clock())
      return [products, deals].map(list => list.map(({ id }) => id).sort())
    }
    expect(await readIds()).toEqual([['laddu'], []])
    expect(await readIds()).toEqual([['laddu', 'murukku'], ['now']])
  }
)
