import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api } from '#lib/api.ts'
import { LiveCatalog, Product, SitePicture } from '#lib/contract/catalog.ts'
import { BlogPost } from '#lib/contract/content.ts'
import { DiscountedProduct, FlashDeal } from '#lib/contract/promotions.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, START_TIME, connectBrowser } from '../support/shop.ts'

describe('Catalogue calls', () => {
  test('GET /products returns an empty array for an empty shop', async () => {
    const shop = await openShop('sqlite')
    expect((await shop.get('/products')).body).toEqual([])
  })

  test('GET /products/{id} returns the product', async () => {
    const shop = await openShop('sqlite', { products: { murukku: {}, adhirasam: {} } })
    const { status, body } = await shop.get('/products/murukku')
    expect([status, Product.parse(body).id]).toEqual([200, 'murukku'])
  })

  test('GET /products/{id} returns 404 for an unknown product', async () => {
    const shop = await openShop('sqlite', { products: { murukku: {} } })
    expect(await shop.get('/products/pizza')).toMatchObject({
      status: 404,
      body: { message: 'Product not found', code: 'PRODUCT_NOT_FOUND' }
    })
  })

  test('GET /catalog/live returns price, stock level and deal of each product', async () => {
    const shop = await openShop('sqlite', {
      products: { laddu: { price: 99.5 }, murukku: { stock: 3 }, thattai: { stock: 0 } },
      deals: {
        now: { product: 'laddu', percent: 15, to: HOUR },
        later: { product: 'murukku', from: MINUTE }
      }
    })
    const { body } = await shop.get('/catalog/live')
    expect(LiveCatalog.parse(body).products).toEqual([
      {
        id: 'laddu',
        price: 99.5,
        stock: 'in',
        deal: { percent: 15, endTime: '2026-11-21T05:00:00.000Z' }
      },
      { id: 'murukku', price: 100, stock: 'low', left: 3 },
      { id: 'thattai', price: 100, stock: 'out' }
    ])
  })

  test('GET /pictures returns the named pictures of the site', async () => {
    const shop = await openShop('sqlite', {
      products: { laddu: {} },
      pictures: { 'hero-sweets': { width: 1920 } }
    })
    const { body } = await shop.get('/pictures')
    expect(z.array(SitePicture).parse(body)).toEqual([
      expect.objectContaining({ name: 'hero-sweets', key: 'hero-sweets-00000000', width: 1920 })
    ])
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
    const { status, headers, body } = await shop.get('/products')
    const products = z.array(Product).parse(body)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(products.map(({ name }) => name)).toEqual(['Adhirasam', 'Murukku'])
    expect(products[0]).toMatchObject({
      _id: 'adhirasam',
      id: 'adhirasam',
      price: 180.5,
      rating: 4.5,
      image: 'one-00000000.jpg',
      extraImages: ['two-00000000.jpg'],
      ingredients: ['Rice'],
      quantity: { value: 250, unit: 'g', type: 'weight' }
    })
  })

  test('GET /catalog/live?ids= returns the listed products and ignores unknown ids', async () => {
    const shop = await openShop(engine, { products: { laddu: {}, murukku: {}, thattai: {} } })
    const { body } = await shop.get('/catalog/live?ids=thattai,%20laddu,pizza,,__proto__')
    expect(LiveCatalog.parse(body).products.map(({ id }) => id)).toEqual(['laddu', 'thattai'])
    expect((await shop.get('/catalog/live?ids=')).body).toEqual({ products: [] })
  })

  test('GET /blog returns the posts and their pictures, newest post first', async () => {
    const shop = await openShop(engine, {
      pictures: { kitchen: {} },
      posts: {
        older: { created_at: '2026-01-02T00:00:00.000Z' },
        newer: { created_at: '2026-03-01T00:00:00.000Z', picture_key: 'kitchen-00000000' }
      }
    })
    const posts = z.array(BlogPost).parse((await shop.get('/blog')).body)
    expect(posts.map(({ id, image }) => [id, image])).toEqual([
      ['newer', 'kitchen-00000000.jpg'],
      ['older', '']
    ])
    expect(posts[0]?.picture).toMatchObject({ width: 1600, height: 1200 })
  })
})

const products = { laddu: { price: 180.05 }, murukku: {}, thattai: {} }

const deals = {
  future: { product: 'murukku', from: HOUR, to: 2 * HOUR },
  ended: { product: 'thattai', from: -2 * HOUR, to: 0 },
  now: { product: 'laddu', percent: 10, from: 0, to: HOUR }
}

describe('Deal calls', () => {
  test('GET /flash-deals returns running deals with product and server time', async () => {
    const shop = await openShop('sqlite', { products, deals })
    shop.clock.advance(MINUTE)
    const reply = await shop.get('/flash-deals')
    expect(z.array(FlashDeal).parse(reply.body)).toEqual([
      expect.objectContaining({
        _id: 'now',
        productId: expect.objectContaining({
          _id: 'laddu',
          price: 180.05,
          description: 'Made this morning.'
        }),
        endTime: '2026-11-21T05:00:00.000Z',
        discountPercentage: 10,
        serverTime: '2026-11-21T04:01:00.000Z'
      })
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('GET /discounted-products ignores an unknown bearer token', async () => {
    const shop = await openShop('sqlite', { products, deals })
    const reply = await shop.get('/discounted-products', { authorization: 'Bearer nobody' })
    expect(reply.body).toEqual((await shop.get('/discounted-products')).body)
  })

  test("deals start and end according to the server's clock", async () => {
    const shop = await openShop('sqlite', { products, deals })
    const listRunningDeals = async (): Promise<string[]> =>
      z
        .array(DiscountedProduct)
        .parse((await shop.get('/discounted-products')).body)
        .map(({ id }) => id)
    expect(await listRunningDeals()).toEqual(['now'])
    shop.clock.advance(HOUR - 1)
    expect(await listRunningDeals()).toEqual(['now'])
    shop.clock.advance(1)
    expect(await listRunningDeals()).toEqual(['future'])
    shop.clock.advance(HOUR)
    expect(await listRunningDeals()).toEqual([])
  })
})

describe.each(ENGINES)('Deal calls on %s', engine => {
  test('GET /discounted-products returns running deals with the lowest possible price', async () => {
    const shop = await openShop(engine, { products, deals })
    const [deal, ...others] = z
      .array(DiscountedProduct)
      .parse((await shop.get('/discounted-products')).body)
    expect(others).toEqual([])
    expect(deal).toMatchObject({
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
    })
  })
})

describe('Typed API client', () => {
  test('returns a product', async () => {
    connectBrowser(await openShop('sqlite', { products: { 'mysore-pak': { price: 240 } } }))
    expect(await api('GET /products/{id}', { params: { id: 'mysore-pak' } })).toMatchObject({
      price: 240
    })
    expect(await api('GET /catalog/live', { query: { ids: 'mysore-pak' } })).toMatchObject({
      products: [{ id: 'mysore-pak' }]
    })
  })

  test("throws the server's error", async () => {
    connectBrowser(await openShop('sqlite'))
    const reply = api('GET /products/{id}', { params: { id: 'a/../b %' } })
    await expect(reply).rejects.toBeInstanceOf(ShopError)
    await expect(reply).rejects.toMatchObject({
      code: 'PRODUCT_NOT_FOUND',
      replyStatus: 404,
      message: MESSAGES.productNotFound
    })
  })
})
