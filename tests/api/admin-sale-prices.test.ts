import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { ImportReport, LiveCatalog, Product } from '#lib/contract/catalog.ts'
import type { DiscountedProduct } from '#lib/contract/promotions.ts'
import { openAdminShop, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import { testClock } from '../support/shop.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

/** 21 November 2026, 10:00 to 18:00 in India. */
const SALE = { price: 80, from: '2026-11-21T04:30:00.000Z', until: '2026-11-21T12:30:00.000Z' }
const BEFORE = '2026-11-21T04:00:00.000Z'
const DURING = SALE.from

async function readPrices({ get }: AdminShop): Promise<unknown> {
  const pick = ({
    price,
    listPrice
  }: {
    price: number
    listPrice?: number | undefined
  }): unknown => [price, listPrice]
  const product = (await get('/products/laddu')).body as Product
  const { products } = (await get('/catalog/live?ids=laddu')).body as LiveCatalog
  return [product, ...products].map(pick)
}

describe.each(ENGINES)('Sale price of a product on %s', engine => {
  test('is the price in the API only while the sale runs', async () => {
    const clock = testClock(BEFORE)
    const shop = await openAdminShop(engine, { clock })
    expect(await shop.changeProduct('laddu', { version: 1, sale: SALE })).toMatchObject({
      status: 200,
      body: { price: 100, sale: SALE }
    })
    const usual = [100, undefined]
    expect(await readPrices(shop)).toEqual([usual, usual])
    clock.advance(Date.parse(DURING) - Date.parse(BEFORE))
    expect(await readPrices(shop)).toEqual([
      [80, 100],
      [80, 100]
    ])
    expect((await shop.fetchProduct('laddu')).price).toBe(100)
    clock.advance(Date.parse(SALE.until) - Date.parse(DURING))
    expect(await readPrices(shop)).toEqual([usual, usual])
  })

  test('can be ended, and both changes are in the history', async () => {
    const shop = await openAdminShop(engine, { clock: testClock(DURING) })
    await shop.changeProduct('laddu', { version: 1, sale: SALE })
    expect(await shop.changeProduct('laddu', { version: 2, sale: null })).toMatchObject({
      body: { sale: null }
    })
    expect((await readPrices(shop)) as unknown[]).toEqual([
      [100, undefined],
      [100, undefined]
    ])
    expect(await shop.history('laddu')).toHaveLength(2)
  })
})

describe('Sale price of a product', () => {
  test.for([
    [
      'a price that is not lower',
      { ...SALE, price: 100 },
      { 'sale.price': ADMIN_MESSAGES.salePriceTooHigh }
    ],
    ['no price', { ...SALE, price: 'x' }, { 'sale.price': ADMIN_TEXTS.salePriceInvalid }],
    [
      'an end before the start',
      { ...SALE, until: SALE.from },
      { 'sale.until': ADMIN_TEXTS.saleEndTooEarly }
    ],
    ['no start', { ...SALE, from: '' }, { 'sale.from': ADMIN_TEXTS.saleStartInvalid }]
  ] as const)('is refused with %s', async ([, sale, fields], { expect }) => {
    const shop = await openAdminShop('sqlite')
    expect(await shop.changeProduct('laddu', { version: 1, sale })).toMatchObject({
      status: 400,
      body: { fields }
    })
    expect(await shop.createProduct({ price: 100, sale: sale as never })).toMatchObject({
      status: 400
    })
  })

  test('must stay below a lowered price', async () => {
    const shop = await openAdminShop('sqlite')
    await shop.changeProduct('laddu', { version: 1, sale: SALE })
    expect(await shop.changeProduct('laddu', { version: 2, price: 80 })).toMatchObject({
      status: 400,
      body: { fields: { 'sale.price': ADMIN_MESSAGES.salePriceTooHigh } }
    })
  })

  test('does not change a flash deal, which takes its discount off the usual price', async () => {
    const deals = { today: { product: 'laddu', percent: 50 } }
    const shop = await openAdminShop('sqlite', { clock: testClock(DURING), deals })
    await shop.changeProduct('laddu', { version: 1, sale: SALE })
    expect((await shop.get('/discounted-products')).body as DiscountedProduct[]).toMatchObject([
      { originalPrice: 100, discountedPrice: 50, product: { price: 100 } }
    ])
  })
})

describe('Sale prices in the CSV file', () => {
  const preview = async (shop: AdminShop, csv: string): Promise<ImportReport> =>
    (await shop.callAsAdmin('POST /admin/products/import', { csv })).body as ImportReport

  test('are exported in Indian time and change nothing if imported', async () => {
    const shop = await openAdminShop('sqlite', { clock: testClock(DURING) })
    await shop.changeProduct('laddu', { version: 1, sale: SALE })
    const csv = (await shop.callAsAdmin('GET /admin/products/export')).raw.toString()
    expect(csv).toContain('"80.00","2026-11-21 10:00","2026-11-21 18:00"')
    expect((await preview(shop, csv)).rows.map(({ outcome }) => outcome)).toEqual(['same', 'same'])
  })

  test.for([
    '2026-11-21 10:00,2026-11-21 18:00',
    '21-11-2026 10:00,21-11-2026 18:00',
    '21/11/2026 10:00,2026-11-21T18:00'
  ])('are imported with the times %s', async (times, { expect }) => {
    const shop = await openAdminShop('sqlite')
    const csv = `Id,Sale price,Sale from,Sale until\nladdu,80,${times}`
    const { basis } = await preview(shop, csv)
    await shop.callAsAdmin('POST /admin/products/import', { csv, basis })
    expect((await shop.fetchProduct('laddu')).sale).toEqual(SALE)
  })

  test('are ended by an empty price', async () => {
    const shop = await openAdminShop('sqlite', { clock: testClock(DURING) })
    await shop.changeProduct('laddu', { version: 1, sale: SALE })
    const csv = 'Id,Sale price\nladdu,'
    const { basis, rows } = await preview(shop, csv)
    expect(rows[0]?.changes[0]).toEqual({ label: 'Sale price', before: '80.00', after: '' })
    await shop.callAsAdmin('POST /admin/products/import', { csv, basis })
    expect((await shop.fetchProduct('laddu')).sale).toBeNull()
  })

  test('are reported with the reason if they are wrong', async () => {
    const shop = await openAdminShop('sqlite')
    const times = '2026-11-21 10:00,2026-11-21 18:00'
    const csv = `Id,Sale price,Sale from,Sale until\nladdu,100,${times}\nmurukku,80,tomorrow,2026-11-21 18:00`
    expect((await preview(shop, csv)).rows.map(({ problems }) => problems)).toEqual([
      [{ label: 'Sale price', text: ADMIN_MESSAGES.salePriceTooHigh }],
      [{ label: 'Sale from', text: ADMIN_TEXTS.saleStartInvalid }]
    ])
  })
})
