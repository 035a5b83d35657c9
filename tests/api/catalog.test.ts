import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { LiveCatalog, Product } from '#lib/contract/catalog.ts'
import { DiscountedProduct, FlashDeal } from '#lib/contract/promotions.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, START_TIME, type Reply } from '../support/shop.ts'
import { randomUUID } from 'node:crypto'
import type { AdminCollection, CollectionDraft } from '#lib/contract/collections.ts'
import { expectBody, expectOutcome } from '../support/accounts.ts'
import { fieldsOf, openAdminShop } from '../support/admin-products.ts'

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
    const list = async (headers = {}) =>
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

const DIWALI: Omit<CollectionDraft, 'key'> = {
  name: 'Diwali gifts',
  nameTamil: 'தீபாவளி பரிசுகள்',
  description: 'Boxes for family and friends.',
  picture: { key: 'laddu-00000000', alt: 'A box of laddus' },
  products: ['murukku', 'laddu'],
  hidden: false
}

async function openCollections(engine: Engine) {
  const shop = await openAdminShop(engine)
  return {
    ...shop,
    create: (draft: Partial<CollectionDraft> = {}): Promise<Reply> =>
      shop.callAsAdmin('POST /admin/collections', { ...DIWALI, key: randomUUID(), ...draft }),
    change: (body: object): Promise<Reply> =>
      shop.callAsAdmin('PATCH /admin/collections/diwali-gifts', body),
    order: (...ids: string[]): Promise<Reply> =>
      shop.callAsAdmin('PUT /admin/collections/order', { ids }),
    listPublic: async () => (await shop.get('/collections')).body
  }
}

test.for(ENGINES)('Texts on %s are in the language of the request', async engine => {
  const shop = await openAdminShop(engine, { deals: { now: { product: 'laddu', to: HOUR } } })
  const { changeProduct, fetchProduct, history } = shop
  const translations = { ta: { description: 'நெய் லட்டு', ingredients: ['கடலை'] } }
  await expectOutcome(
    changeProduct('laddu', { version: 1, translations: { ta: { shelfLife: 7 } } }),
    '400 INVALID_INPUT'
  )
  await changeProduct('laddu', { version: 1, name: 'Laddu', nameTamil: 'லட்டு', translations })
  await changeProduct('laddu', { version: 2, description: 'With ghee' })
  expect(await fetchProduct('laddu')).toMatchObject({ description: 'With ghee', translations })
  expect(await history('laddu')).toHaveLength(2)
  const english = { name: 'Laddu', nameTamil: 'லட்டு', description: 'With ghee' }
  const tamil = { name: 'லட்டு', nameTamil: 'Laddu', ...translations.ta }
  for (const [languages, texts] of [
    ['ta-IN, en;q=0.5', tamil],
    ['en', english],
    ['hi', english]
  ] as const) {
    const headers = { 'accept-language': languages }
    const { body } = await shop.get('/products/laddu', headers)
    expect(body).toMatchObject(texts)
    expect(body).not.toHaveProperty('translations')
    const { ingredients: _, ...ofDeal } = { ingredients: [], ...texts }
    for (const path of ['/discounted-products', '/flash-deals']) {
      const [deal] = (await shop.get(path, headers)).body as Record<string, object>[]
      expect(deal?.['product'] ?? deal?.['productId']).toMatchObject(ofDeal)
    }
  }
  await expectBody(shop.get('/products/murukku', { 'accept-language': 'ta' }), {
    description: 'Made this morning.'
  })
  const { body } = await shop.get('/site-content', { 'accept-language': 'ta' })
  expect(body).toMatchObject({ products: [{ ...english, translations }, {}] })
})

describe.each(ENGINES)('Collections on %s', engine => {
  test('are public in the order of the owner, with their visible products', async () => {
    const { create, order, listPublic, changeProduct } = await openCollections(engine)
    expect(await create()).toMatchObject({
      status: 201,
      body: { id: 'diwali-gifts', version: 1, hiddenAt: null }
    })
    await create({ name: 'Wedding', picture: null, products: ['laddu'] })
    await create({ name: 'Secret', hidden: true })
    await create({ name: 'Empty', products: [] })
    await order('wedding', 'secret', 'empty', 'diwali-gifts')
    await expectOutcome(order('wedding', 'secret', 'diwali-gifts'), '409 EDIT_CONFLICT')
    await changeProduct('murukku', { version: 1, hidden: true })
    const { nameTamil, description } = DIWALI
    const texts = { nameTamil, description, products: ['laddu'] }
    const picture = { ...DIWALI.picture, width: 1600, height: 1200, color: '#c08a3e' }
    expect(await listPublic()).toEqual([
      { ...texts, id: 'wedding', name: 'Wedding' },
      { ...texts, id: 'diwali-gifts', name: 'Diwali gifts', picture }
    ])
  })

  test('are changed from their current version, and the products keep their order', async () => {
    const { create, change } = await openCollections(engine)
    const key = randomUUID()
    await create({ key })
    expect(await create({ key, name: 'Diwali' })).toMatchObject({ status: 200 })
    await expectBody(create(), { id: 'diwali-gifts-2' })
    const changed = { products: ['laddu', 'murukku'], name: 'Deepavali' }
    await expectBody(change({ version: 2, ...changed }), {
      ...changed,
      id: 'diwali-gifts',
      version: 3
    })
    await expectOutcome(change({ version: 2, name: 'Diwali' }), '409 EDIT_CONFLICT')
    for (const [field, value] of [
      ['products', ['gone']],
      ['picture', { key: 'gone', alt: 'A box' }]
    ] as const)
      expect(fieldsOf(await change({ version: 3, [field]: value }))).toHaveProperty(field)
  })

  test('are told by their products, which change them', async () => {
    const { create, callAsAdmin, changeProduct, fetchProduct } = await openCollections(engine)
    await create({ products: ['laddu'] })
    await create({ name: 'Wedding', products: ['laddu'] })
    expect((await fetchProduct('laddu')).collections).toEqual(['diwali-gifts', 'wedding'])
    await changeProduct('laddu', { version: 1, collections: ['wedding'] })
    await changeProduct('murukku', { version: 1, collections: ['wedding'] })
    const all = (await callAsAdmin('GET /admin/collections')).body as AdminCollection[]
    expect(all.map(({ id, products, version }) => [id, products, version])).toEqual([
      ['diwali-gifts', [], 2],
      ['wedding', ['laddu', 'murukku'], 2]
    ])
    const unknown = await changeProduct('laddu', { version: 2, collections: ['gone'] })
    expect(fieldsOf(unknown)).toHaveProperty('collections')
  })

  test('are deleted without their products, and lose a product that is deleted', async () => {
    const { create, callAsAdmin, listPublic, publicProductIds } = await openCollections(engine)
    await create()
    await create({ name: 'Wedding' })
    expect((await callAsAdmin('DELETE /admin/collections/diwali-gifts?version=1')).body).toEqual({
      message: '“Diwali gifts” was deleted'
    })
    await callAsAdmin('DELETE /admin/products/laddu?version=1')
    expect(await listPublic()).toMatchObject([{ id: 'wedding', products: ['murukku'] }])
    expect(await publicProductIds()).toEqual(['murukku'])
  })
})
