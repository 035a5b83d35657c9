import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { statusAndCode } from '../support/accounts.ts'
import { openAdminShop, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const productOf = ({ body }: Reply): AdminProduct => body as AdminProduct
const fieldsOf = ({ body }: Reply): unknown => (body as { fields?: unknown }).fields

describe('POST /admin/products', () => {
  test('names each invalid field', async () => {
    const shop = await openAdminShop('sqlite')
    const wrong = {
      name: ' ',
      price: 0.999,
      stock: 1.5,
      category: ' ',
      ingredients: [],
      quantity: { value: 0, unit: 'g' },
      shelfLifeDays: 0,
      kitchenUnits: 0.5,
      extraLeadDays: 61,
      allergens: 'x'.repeat(301)
    }
    const reply = await shop.createProduct(wrong as object)
    expect(statusAndCode(reply)).toBe('400 INVALID_INPUT')
    expect(fieldsOf(reply)).toEqual({
      name: 'Please enter a name',
      price: 'Please enter a price from ₹1, with at most two decimals',
      stock: 'Please enter a whole number of packs, 0 or more',
      category: 'Please choose a category',
      ingredients: 'Please list the ingredients',
      'quantity.value': 'Please enter the pack size, such as 250 g or 12 pieces',
      shelfLifeDays: 'Please enter a whole number of days, or leave this empty',
      kitchenUnits: 'Please enter a whole number of kitchen units, 0 or more',
      extraLeadDays: 'Please enter a whole number of days up to 60, usually 0',
      allergens: 'Please use at most 300 characters'
    })
  })

  test('requires an uploaded picture unless the product is hidden', async () => {
    const shop = await openAdminShop('sqlite')
    expect(fieldsOf(await shop.createProduct({ pictures: [] }))).toEqual({
      pictures: expect.stringMatching(/picture/)
    })
    const unknown = await shop.createProduct({
      pictures: [{ key: 'nothing-12345678', alt: 'Nothing' }]
    })
    expect(fieldsOf(unknown)).toEqual({ pictures: expect.stringMatching(/not found/) })
    const hidden = await shop.createProduct({ pictures: [], hidden: true })
    expect(productOf(hidden).hiddenAt).toBe('2026-11-21T04:00:00.000Z')
    expect(await shop.publicProductIds()).toEqual(['laddu', 'murukku'])
    expect(
      statusAndCode(await shop.changeProduct('rava-kesari', { version: 1, hidden: false }))
    ).toBe('400 INVALID_INPUT')
  })
})

describe.each(ENGINES)('POST /admin/products on %s', engine => {
  test('gives the product a readable, unique id and publishes it', async () => {
    const shop = await openAdminShop(engine)
    const first = await shop.createProduct()
    expect([first.status, productOf(first)]).toEqual([
      201,
      expect.objectContaining({
        id: 'rava-kesari',
        price: 150.5,
        stock: 12,
        version: 1,
        hiddenAt: null,
        rating: 0
      })
    ])
    expect(productOf(first).pictures).toEqual([
      expect.objectContaining({ alt: 'A bowl of kesari' })
    ])
    expect(productOf(await shop.createProduct()).id).toBe('rava-kesari-2')
    expect(productOf(await shop.createProduct({ name: 'ரவா கேசரி' })).id).toBe('product')
    expect(productOf(await shop.createProduct({ name: '  Crème & Badám  Halwa!' })).id).toBe(
      'creme-badam-halwa'
    )
    expect(await shop.publicProductIds()).toContain('rava-kesari-2')
    expect(await shop.history('rava-kesari')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^created null .*"Rava Kesari"/),
        'created null {"stock":12}'
      ])
    )
  })

  test('creates one product for parallel requests with the same key, and a later request with this key updates the product', async () => {
    const shop = await openAdminShop(engine)
    const key = randomUUID()
    const replies = await Promise.all([
      shop.createProduct({ key }),
      shop.createProduct({ key }),
      shop.createProduct({ key })
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(replies.map(reply => productOf(reply).id))).toEqual(new Set(['rava-kesari']))
    const again = await shop.createProduct({ key, name: 'Kesari', stock: 9 })
    expect(productOf(again)).toMatchObject({ id: 'rava-kesari', name: 'Kesari', stock: 9 })
    expect(statusAndCode(await shop.createProduct({ key, name: 'Something else' }))).toBe(
      '409 EDIT_CONFLICT'
    )
  })
})

describe('A product whose form is sent again because the reply was lost', () => {
  const sellOne = (shop: AdminShop): Promise<unknown> =>
    shop.write(trx =>
      trx
        .updateTable('products')
        .set(row => ({ stock: row('stock', '-', 1) }))
        .where('id', '=', 'rava-kesari')
        .execute()
    )

  test('keeps its stock if packs were sold in between', async () => {
    const shop = await openAdminShop('sqlite')
    const draft = { key: randomUUID() }
    await shop.createProduct(draft)
    await sellOne(shop)
    const again = await shop.createProduct(draft)
    expect([again.status, productOf(again)]).toEqual([
      200,
      expect.objectContaining({ stock: 11, version: 1 })
    ])
    expect(await shop.history('rava-kesari')).toHaveLength(2)
  })

  test('gets another stock only if none was sold in between', async () => {
    const shop = await openAdminShop('sqlite')
    const key = randomUUID()
    await shop.createProduct({ key })
    await sellOne(shop)
    const refused = await shop.createProduct({ key, stock: 20 })
    expect([statusAndCode(refused), refused.text]).toEqual([
      '409 EDIT_CONFLICT',
      expect.stringContaining('to 11')
    ])
    expect((await shop.fetchProduct('rava-kesari')).stock).toBe(11)
  })
})

describe('PATCH /admin/products/{id}', () => {
  test('changes only the given fields and records them in the audit log', async () => {
    const shop = await openAdminShop('sqlite')
    const product = await shop.fetchProduct('laddu')
    const catalogVersion = await readCounter(shop.database.kysely, 'catalog')
    const reply = await shop.changeProduct('laddu', {
      version: 1,
      price: 120,
      description: product.description
    })
    expect(productOf(reply)).toEqual({ ...product, price: 120, version: 2 })
    expect(await shop.history('laddu')).toEqual(['changed {"price":100} {"price":120}'])
    expect(await readCounter(shop.database.kysely, 'catalog')).toBeGreaterThan(catalogVersion)
    expect((await shop.get('/products/laddu')).body).toMatchObject({ price: 120 })
  })

  test('keeps what kitchen and delivery need, and shows the public part of it', async () => {
    const shop = await openAdminShop('sqlite')
    const label = { allergens: 'Milk, wheat', nutrition: 'Energy 520 kcal\nFat 30 g' }
    const facts = {
      ...label,
      kitchenUnits: 2,
      extraLeadDays: 3,
      localOnly: true,
      shelfLifeDays: 10
    }
    expect(productOf(await shop.changeProduct('laddu', { version: 1, ...facts }))).toMatchObject(
      facts
    )
    const { body } = await shop.get('/products/laddu')
    expect(body).toMatchObject({ ...label, extraLeadDays: 3, localOnly: true })
    expect(Object.keys(body as object)).not.toContain('kitchenUnits')
    expect(await shop.history('laddu')).toEqual([expect.stringContaining('"shelfLifeDays":null')])
    const cleared = { version: 2, allergens: '', shelfLifeDays: null, localOnly: false }
    expect(productOf(await shop.changeProduct('laddu', cleared))).toMatchObject({
      kitchenUnits: 2,
      shelfLifeDays: null
    })
    expect((await shop.get('/products/laddu')).body).not.toHaveProperty('allergens')
  })

  test('reorders the pictures and changes their alt texts', async () => {
    const shop = await openAdminShop('sqlite', {
      products: { laddu: { pictures: ['one', 'two'] } }
    })
    const pictures = [
      { key: 'two-00000000', alt: 'From above' },
      { key: 'one-00000000', alt: 'From the side' }
    ]
    expect(productOf(await shop.changeProduct('laddu', { version: 1, pictures }))).toMatchObject({
      image: 'two-00000000.jpg',
      extraImages: ['one-00000000.jpg'],
      pictures
    })
    const duplicated = await shop.changeProduct('laddu', {
      version: 2,
      pictures: [pictures[0], pictures[0]]
    })
    expect(statusAndCode(duplicated)).toBe('400 INVALID_INPUT')
  })

  test('refuses an unknown product or a missing version', async () => {
    const shop = await openAdminShop('sqlite')
    expect(statusAndCode(await shop.changeProduct('unicorn', { version: 1, price: 1 }))).toBe(
      '404 PRODUCT_NOT_FOUND'
    )
    expect(statusAndCode(await shop.changeProduct('laddu', { price: 1 }))).toBe('400 INVALID_INPUT')
  })
})

describe.each(ENGINES)('PATCH /admin/products/{id} on %s', engine => {
  test('refuses an outdated version unless the product already has the new values', async () => {
    const shop = await openAdminShop(engine)
    await shop.changeProduct('laddu', { version: 1, price: 120 })
    const outdated = await shop.changeProduct('laddu', { version: 1, name: 'Boondi Laddu' })
    expect(statusAndCode(outdated)).toBe('409 EDIT_CONFLICT')
    expect((outdated.body as { message: string }).message).toMatch(/Someone else/)
    expect(productOf(await shop.changeProduct('laddu', { version: 1, price: 120 }))).toMatchObject({
      price: 120,
      version: 2
    })
    expect(await shop.history('laddu')).toHaveLength(1)
  })

  test('accepts only one of several concurrent changes', async () => {
    const shop = await openAdminShop(engine)
    const replies = await Promise.all(
      [110, 120, 130].map(price => shop.changeProduct('laddu', { version: 1, price }))
    )
    expect(replies.map(statusAndCode).sort()).toEqual([
      '200',
      '409 EDIT_CONFLICT',
      '409 EDIT_CONFLICT'
    ])
    expect((await shop.fetchProduct('laddu')).version).toBe(2)
  })
})

describe.each(ENGINES)('Stock change on %s', engine => {
  const sellOnePack = (shop: AdminShop): Promise<unknown> =>
    shop.write(trx =>
      trx
        .updateTable('products')
        .set(row => ({ stock: row('stock', '-', 1) }))
        .where('id', '=', 'murukku')
        .execute()
    )

  test('is accepted even with an outdated product version, and is recorded as a separate change', async () => {
    const shop = await openAdminShop(engine)
    await shop.changeProduct('murukku', { version: 1, price: 90 })
    const reply = await shop.changeProduct('murukku', { version: 1, stock: { from: 30, to: 40 } })
    expect(productOf(reply)).toMatchObject({ stock: 40, version: 2 })
    expect(await shop.history('murukku')).toContain('changed {"stock":30} {"stock":40}')
  })

  test('is refused with the current stock if packs were sold after the administrator read the stock', async () => {
    const shop = await openAdminShop(engine)
    await sellOnePack(shop)
    const reply = await shop.changeProduct('murukku', {
      version: 1,
      price: 90,
      stock: { from: 30, to: 40 }
    })
    expect([statusAndCode(reply), reply.text]).toEqual([
      '409 EDIT_CONFLICT',
      expect.stringContaining('changed to 29')
    ])
    expect(await shop.fetchProduct('murukku')).toMatchObject({ stock: 29, price: 100 })
  })

  test('is applied only once if it is sent twice', async () => {
    const shop = await openAdminShop(engine)
    const change = { version: 1, stock: { from: 30, to: 40 } }
    await shop.changeProduct('murukku', change)
    expect(productOf(await shop.changeProduct('murukku', change)).stock).toBe(40)
    expect(await shop.history('murukku')).toHaveLength(1)
  })
})

describe('Product administration', () => {
  test('omits hidden products and their deals from all public replies', async () => {
    const shop = await openAdminShop('sqlite', {
      products: { laddu: {} },
      deals: { big: { product: 'laddu' } }
    })
    await shop.changeProduct('laddu', { version: 1, hidden: true })
    expect(await shop.publicProductIds()).toEqual([])
    expect(statusAndCode(await shop.get('/products/laddu'))).toBe('404 PRODUCT_NOT_FOUND')
    for (const path of ['/discounted-products', '/flash-deals'])
      expect((await shop.get(path)).body).toEqual([])
    expect((await shop.get('/catalog/live')).body).toEqual({ products: [] })
    await shop.changeProduct('laddu', { version: 2, hidden: false })
    expect(await shop.publicProductIds()).toEqual(['laddu'])
    expect(await shop.history('laddu')).toEqual(
      expect.arrayContaining([
        'hidden {"hidden":false} {"hidden":true}',
        'shown {"hidden":true} {"hidden":false}'
      ])
    )
  })

  test('shows hidden products in the admin list', async () => {
    const shop = await openAdminShop('sqlite')
    await shop.changeProduct('laddu', { version: 1, hidden: true })
    const { body } = await shop.callAsAdmin('GET /admin/products')
    expect((body as AdminProduct[]).map(({ id, hiddenAt }) => [id, hiddenAt !== null])).toEqual([
      ['laddu', true],
      ['murukku', false]
    ])
  })
})

describe.each(ENGINES)('Product administration on %s', engine => {
  test('deletes a product that has no orders and no deals', async () => {
    const shop = await openAdminShop(engine)
    expect(statusAndCode(await shop.callAsAdmin('DELETE /admin/products/laddu?version=7'))).toBe(
      '409 EDIT_CONFLICT'
    )
    expect((await shop.callAsAdmin('DELETE /admin/products/laddu?version=1')).body).toEqual({
      outcome: 'deleted'
    })
    expect(await shop.publicProductIds()).toEqual(['murukku'])
    expect(statusAndCode(await shop.callAsAdmin('GET /admin/products/laddu'))).toBe(
      '404 PRODUCT_NOT_FOUND'
    )
    expect(statusAndCode(await shop.callAsAdmin('DELETE /admin/products/laddu?version=1'))).toBe(
      '404 PRODUCT_NOT_FOUND'
    )
    expect(await shop.history('laddu')).toEqual([
      expect.stringMatching(/^deleted .*"name":"laddu".* null$/)
    ])
  })

  test('hides a product that has deals instead of deleting it', async () => {
    const shop = await openAdminShop(engine, {
      products: { laddu: {} },
      deals: { big: { product: 'laddu' } }
    })
    expect((await shop.fetchProduct('laddu')).isReferred).toBe(true)
    expect((await shop.callAsAdmin('DELETE /admin/products/laddu?version=1')).body).toEqual({
      outcome: 'hidden'
    })
    expect((await shop.fetchProduct('laddu')).hiddenAt).not.toBeNull()
    expect((await shop.callAsAdmin('DELETE /admin/products/laddu?version=1')).body).toEqual({
      outcome: 'hidden'
    })
    expect(await shop.publicProductIds()).toEqual([])
  })
})
