import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { LiveCatalog, Product, SitePicture } from '#lib/contract/catalog.ts'
import { DiscountedProduct, FlashDeal } from '#lib/contract/promotions.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, START_TIME } from '../support/shop.ts'

describe('Catalogue calls', () => {
  test('GET /catalog/live returns price, stock level and deal of each product', async () => {
    const shop = await openShop('sqlite', {
      products: { laddu: { price: 99.5 }, murukku: { stock: 3 }, thattai: { stock: 0 } },
      deals: {
        now: { product: 'laddu', percent: 15, to: HOUR },
        later: { product: 'murukku', from: MINUTE }
      }
    })
    const { body } = await shop.get('/catalog/live')
    const deal = { percent: 15, endTime: '2026-11-21T05:00:00.000Z' }
    expect(LiveCatalog.parse(body).products).toEqual([
      { id: 'laddu', price: 99.5, stock: 'in', deal },
      { id: 'murukku', price: 100, stock: 'low', left: 3 },
      { id: 'thattai', price: 100, stock: 'out' }
    ])
  })

  test('GET /pictures returns the named pictures of the site', async () => {
    const pictures = { 'hero-sweets': { width: 1920 } }
    const shop = await openShop('sqlite', { products: { laddu: {} }, pictures })
    const { body } = await shop.get('/pictures')
    expect(z.array(SitePicture).parse(body)).toMatchObject([
      { name: 'hero-sweets', key: 'hero-sweets-00000000', width: 1920 }
    ])
  })

  test('GET /products/{id} returns the product or 404', async () => {
    const shop = await openShop('sqlite', { products: { murukku: { price: 240 }, adhirasam: {} } })
    const { body } = await shop.get('/products/murukku')
    expect(Product.parse(body)).toMatchObject({ id: 'murukku', price: 240 })
    for (const id of ['pizza', 'a%2F..%2Fb%20%25'])
      expect(await shop.get(`/products/${id}`)).toMatchObject({
        status: 404,
        body: { message: 'Product not found', code: 'PRODUCT_NOT_FOUND' }
      })
  })
})

describe.each(ENGINES)('Catalogue calls on %s', engine => {
  test('GET /products returns all products sorted by name', async () => {
    const shop = await openShop(engine, {
      products: {
        murukku: { name: 'Murukku' },
        adhirasam: { name: 'Adhirasam', price: 180.5, pictures: ['one', 'two'] }
      }
    })
    const { headers, body } = await shop.get('/products')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(z.array(Product).parse(body)).toMatchObject([
      {
        _id: 'adhirasam',
        id: 'adhirasam',
        name: 'Adhirasam',
        price: 180.5,
        rating: 4.5,
        image: 'one-00000000.jpg',
        extraImages: ['two-00000000.jpg'],
        ingredients: ['Rice'],
        quantity: { value: 250, unit: 'g', type: 'weight' }
      },
      { name: 'Murukku' }
    ])
  })

  test('GET /catalog/live?ids= returns the listed products and ignores unknown ids', async () => {
    const shop = await openShop(engine, { products: { laddu: {}, murukku: {}, thattai: {} } })
    const { body } = await shop.get('/catalog/live?ids=thattai,%20laddu,pizza,,__proto__')
    expect(LiveCatalog.parse(body).products.map(({ id }) => id)).toEqual(['laddu', 'thattai'])
    expect((await shop.get('/catalog/live?ids=')).body).toEqual({ products: [] })
  })
})

const deals = {
  future: { product: 'murukku', from: HOUR, to: 2 * HOUR },
  ended: { product: 'thattai', from: -2 * HOUR, to: 0 },
  now: { product: 'laddu', percent: 10, from: 0, to: HOUR }
}
const products = { laddu: { price: 180.05 }, murukku: {}, thattai: {} }

test('GET /flash-deals returns running deals with product and server time', async () => {
  const shop = await openShop('sqlite', { products, deals })
  shop.clock.advance(MINUTE)
  const reply = await shop.get('/flash-deals')
  expect(z.array(FlashDeal).parse(reply.body)).toMatchObject([
    {
      _id: 'now',
      productId: { _id: 'laddu', price: 180.05, description: 'Made this morning.' },
      endTime: '2026-11-21T05:00:00.000Z',
      discountPercentage: 10,
      serverTime: '2026-11-21T04:01:00.000Z'
    }
  ])
  expect(reply.headers['cache-control']).toBe('no-store')
})

test.for(ENGINES)(
  "GET /discounted-products on %s returns the deals that run by the server's clock",
  async engine => {
    const shop = await openShop(engine, { products, deals })
    const list = async (headers = {}): Promise<DiscountedProduct[]> =>
      z.array(DiscountedProduct).parse((await shop.get('/discounted-products', headers)).body)
    const deal = {
      _id: 'now',
      id: 'now',
      name: 'laddu',
      image: 'laddu-00000000.jpg',
      product: { _id: 'laddu', name: 'laddu', stock: 20 },
      originalPrice: 180.05,
      currentPrice: 162.05,
      discountedPrice: 162.05,
      discountPercentage: 10,
      startTime: START_TIME,
      endTime: '2026-11-21T05:00:00.000Z'
    }
    expect(await list()).toMatchObject([deal])
    expect(await list({ authorization: 'Bearer nobody' })).toMatchObject([deal])
    shop.clock.advance(HOUR - 1)
    expect(await list()).toMatchObject([deal])
    shop.clock.advance(1)
    expect(await list()).toMatchObject([{ id: 'future' }])
    shop.clock.advance(HOUR)
    expect(await list()).toEqual([])
  }
)
