import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { expectBody, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { fieldsOf, KESARI, openAdminShop, withAdmin } from '../support/admin-products.ts'
import {
  addShopper,
  myOrders,
  openCheckoutShop,
  openPayment,
  placeOrder,
  quoteOf,
  requestPayment
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply, Shop } from '../support/shop.ts'

const productOf = ({ body }: Reply) => body as AdminProduct
const sellOne = (shop: Shop, id: string): Promise<unknown> =>
  shop.write(trx =>
    trx
      .updateTable('products')
      .set(row => ({ stock: row('stock', '-', 1) }))
      .where('id', '=', id)
      .execute()
  )

describe('A new product', () => {
  test('is refused with a reason at each invalid field', async () => {
    const shop = await openAdminShop('sqlite')
    const wrong = {
      name: ' ',
      price: 0.999,
      stock: 1.5,
      category: ' ',
      ingredients: [' '],
      quantity: { value: 0, unit: 'g' },
      shelfLifeDays: 0,
      kitchenUnits: 0.5,
      extraLeadDays: 61,
      allergens: 'x'.repeat(301)
    }
    expect(fieldsOf(await shop.createProduct(wrong as object))).toEqual({
      name: 'Please enter a name',
      price: 'Please enter a price from ₹1, with at most two decimals',
      stock: 'Please enter a whole number of packs, 0 or more',
      category: 'Please choose a category',
      'ingredients.0': 'Please list the ingredients',
      'quantity.value': 'Please enter the pack size, such as 250 g or 12 pieces',
      shelfLifeDays: 'Please enter a whole number of days, or leave this empty',
      kitchenUnits: 'Please enter a whole number, usually 1',
      extraLeadDays: 'Please enter a whole number of days up to 60, usually 0',
      allergens: 'Please use at most 300 characters'
    })
  })

  test('needs an uploaded picture unless it is hidden', async () => {
    const shop = await openAdminShop('sqlite')
    expect(fieldsOf(await shop.createProduct({ pictures: [] }))).toEqual({
      pictures: 'Add a picture, or keep the product hidden.'
    })
    const pictures = [{ key: 'nothing-12345678', alt: 'Nothing' }]
    expect(fieldsOf(await shop.createProduct({ pictures }))).toEqual({
      pictures: expect.stringMatching(/not found/)
    })
    const hidden = await shop.createProduct({ pictures: [], hidden: true })
    expect(productOf(hidden).hiddenAt).toBe('2026-11-21T04:00:00.000Z')
    expect(await shop.publicProductIds()).toEqual(['laddu', 'murukku'])
    const shown = await shop.changeProduct('rava-kesari', { version: 1, hidden: false })
    await expectOutcome(shown, '400 INVALID_INPUT')
  })

  test('that is sent again because the reply was lost keeps its stock, or gets another if none was sold', async () => {
    const shop = await openAdminShop('sqlite')
    const key = randomUUID()
    await shop.createProduct({ key })
    expect(productOf(await shop.createProduct({ key, stock: 9 }))).toMatchObject({ stock: 9 })
    await sellOne(shop, 'rava-kesari')
    const again = await shop.createProduct({ key })
    expect([again.status, productOf(again)]).toMatchObject([200, { stock: 8, version: 1 }])
    const refused = await shop.createProduct({ key, stock: 20 })
    await expectOutcome(refused, '409 EDIT_CONFLICT')
    expect(refused.text).toContain('to 8')
    expect((await shop.fetchProduct('rava-kesari')).stock).toBe(8)
  })
})

describe.each(ENGINES)('Products on %s', engine => {
  test('get a readable, unique id, and are public and in the history', async () => {
    const shop = await openAdminShop(engine)
    const first = await shop.createProduct()
    expect([first.status, first.body]).toMatchObject([
      201,
      {
        id: 'rava-kesari',
        price: 150.5,
        stock: 12,
        version: 1,
        hiddenAt: null,
        rating: 0,
        pictures: [{ alt: 'A bowl of kesari' }]
      }
    ])
    const draft = { ...KESARI, stock: undefined, key: randomUUID() }
    await expectBody(shop.callAsAdmin('POST /admin/products', draft), {
      id: 'rava-kesari-2',
      stock: 0,
      cookedToOrder: true
    })
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

  test('are created once by parallel requests with one key, which later changes the product once', async () => {
    const shop = await openAdminShop(engine)
    const key = randomUUID()
    const replies = await Promise.all([1, 2, 3].map(() => shop.createProduct({ key })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(replies.map(reply => productOf(reply).id))).toEqual(new Set(['rava-kesari']))
    expect(productOf(await shop.createProduct({ key, name: 'Kesari' }))).toMatchObject({
      id: 'rava-kesari',
      name: 'Kesari'
    })
    const other = await shop.createProduct({ key, name: 'Something else' })
    await expectOutcome(other, '409 EDIT_CONFLICT')
  })

  test('accept one of several concurrent changes, and refuse an outdated one unless it changes nothing', async () => {
    const shop = await openAdminShop(engine)
    const replies = await Promise.all(
      [110, 120, 130].map(price => shop.changeProduct('laddu', { version: 1, price }))
    )
    const conflict = '409 EDIT_CONFLICT'
    expect(replies.map(statusAndCode).sort()).toEqual(['200', conflict, conflict])
    const { price } = await shop.fetchProduct('laddu')
    const same = await shop.changeProduct('laddu', { version: 1, price })
    expect(productOf(same)).toMatchObject({ price, version: 2 })
    const outdated = await shop.changeProduct('laddu', { version: 1, name: 'Boondi Laddu' })
    expect(outdated.text).toContain('Someone else')
    expect(await shop.history('laddu')).toHaveLength(1)
  })

  test('change their stock at any version, once, unless packs were sold meanwhile', async () => {
    const shop = await openAdminShop(engine)
    await shop.changeProduct('murukku', { version: 1, price: 90 })
    const change = { version: 1, stock: { from: 30, to: 40 } }
    for (const _ of ['sent', 'sent again'])
      expect(productOf(await shop.changeProduct('murukku', change))).toMatchObject({
        stock: 40,
        version: 2
      })
    expect(await shop.history('murukku')).toHaveLength(2)
    expect(await shop.history('murukku')).toContain('changed {"stock":30} {"stock":40}')
    await sellOne(shop, 'murukku')
    const late = { version: 2, price: 95, stock: { from: 40, to: 50 } }
    const reply = await shop.changeProduct('murukku', late)
    await expectOutcome(reply, '409 EDIT_CONFLICT')
    expect(reply.text).toContain('The stock has changed to 39.')
    expect(await shop.fetchProduct('murukku')).toMatchObject({ stock: 39, price: 90 })
    await shop.changeProduct('murukku', { version: 2, stock: { from: 39, to: null } })
    const unlimited = await shop.fetchProduct('murukku')
    expect(unlimited).toMatchObject({ stock: 39, cookedToOrder: true })
    const soldOut = { version: 2, stock: { from: 39, to: 0 } }
    const sold = productOf(await shop.changeProduct('murukku', soldOut))
    expect([sold.stock, sold.cookedToOrder]).toEqual([0, undefined])
    expect(await shop.history('murukku')).toContain('changed {"stock":null} {"stock":0}')
  })

  test('are deleted from their current version, and hidden instead if they have deals', async () => {
    const deals = { big: { product: 'murukku' } }
    const shop = await openAdminShop(engine, { deals })
    const remove = (id: string, version: number) =>
      shop.callAsAdmin(`DELETE /admin/products/${id}?version=${version}`)
    await expectOutcome(remove('laddu', 7), '409 EDIT_CONFLICT')
    expect((await remove('laddu', 1)).body).toEqual({ outcome: 'deleted' })
    await expectOutcome(remove('laddu', 1), '404 PRODUCT_NOT_FOUND')
    expect(await shop.history('laddu')).toEqual([
      expect.stringMatching(/^deleted .*"name":"laddu".* null$/)
    ])
    for (const _ of ['sent', 'sent again'])
      expect((await remove('murukku', 1)).body).toEqual({ outcome: 'hidden' })
    expect(await shop.publicProductIds()).toEqual([])
    expect(await shop.fetchProduct('murukku')).toMatchObject({
      isReferred: true,
      hiddenAt: expect.any(String)
    })
  })
})

describe('A change of a product', () => {
  test('keeps what kitchen and delivery need, and shows the public part of it', async () => {
    const shop = await openAdminShop('sqlite')
    const label = { allergens: 'Milk, wheat', nutrition: 'Energy 520 kcal\nFat 30 g' }
    const terms = { extraLeadDays: 3, localOnly: true }
    const facts = { ...label, ...terms, kitchenUnits: 2, shelfLifeDays: 10 }
    expect(productOf(await shop.changeProduct('laddu', { version: 1, ...facts }))).toMatchObject(
      facts
    )
    const { body } = await shop.get('/products/laddu')
    expect(body).toMatchObject({ ...label, ...terms })
    expect(Object.keys(body as object)).not.toContain('kitchenUnits')
    const cleared = { version: 2, allergens: '', shelfLifeDays: null, localOnly: false }
    expect(productOf(await shop.changeProduct('laddu', cleared))).toMatchObject({
      kitchenUnits: 2,
      shelfLifeDays: null
    })
    expect((await shop.get('/products/laddu')).body).not.toHaveProperty('allergens')
  })

  test('reorders the pictures and changes their alt texts', async () => {
    const products = { laddu: { pictures: ['one', 'two'] } }
    const shop = await openAdminShop('sqlite', { products })
    const pictures = [
      { key: 'two-00000000', alt: 'From above' },
      { key: 'one-00000000', alt: 'From the side' }
    ]
    expect(productOf(await shop.changeProduct('laddu', { version: 1, pictures }))).toMatchObject({
      image: 'two-00000000.jpg',
      extraImages: ['one-00000000.jpg'],
      pictures
    })
    const twice = { version: 2, pictures: [pictures[0], pictures[0]] }
    await expectOutcome(shop.changeProduct('laddu', twice), '400 INVALID_INPUT')
  })
})

test('A hidden product and its deals are in no public reply, but in the list of administrators', async () => {
  const products = { laddu: {} }
  const shop = await openAdminShop('sqlite', { products, deals: { big: { product: 'laddu' } } })
  await shop.changeProduct('laddu', { version: 1, hidden: true })
  await expectOutcome(shop.get('/products/laddu'), '404 PRODUCT_NOT_FOUND')
  for (const path of ['/products', '/discounted-products', '/flash-deals'])
    expect((await shop.get(path)).body).toEqual([])
  expect((await shop.get('/catalog/live')).body).toEqual({ products: [] })
  await expectBody(shop.callAsAdmin('GET /admin/products'), [
    { id: 'laddu', hiddenAt: expect.any(String) }
  ])
  await shop.changeProduct('laddu', { version: 2, hidden: false })
  expect(await shop.publicProductIds()).toEqual(['laddu'])
  expect(await shop.history('laddu')).toEqual(
    expect.arrayContaining([
      'hidden {"hidden":false} {"hidden":true}',
      'shown {"hidden":true} {"hidden":false}'
    ])
  )
})

describe.each(ENGINES)('A product that is hidden on %s', engine => {
  const products = { lemon: { price: 120, stock: 10 } }
  const items = [{ product: 'lemon', quantity: 1 }]

  test('cannot be ordered, except with a payment that was opened before, and stays in its order', async () => {
    const shop = await withAdmin(await openCheckoutShop(engine, { products }))
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items })
    await shop.changeProduct('lemon', { version: 1, hidden: true })
    const quote = await quoteOf(shop, anita, items)
    expect([quote.canOrder, quote.lines.map(({ problem }) => problem)]).toEqual([false, ['gone']])
    await expectOutcome(requestPayment(shop, anita, { items, amount: 120 }), '409 PRICE_CHANGED')
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
    expect(await shop.stockOf('lemon')).toBe(9)
    expect((await shop.callAsAdmin('DELETE /admin/products/lemon?version=2')).body).toEqual({
      outcome: 'hidden'
    })
    expect(await myOrders(shop, anita)).toMatchObject([
      { items: [{ product: { name: 'lemon' }, price: 120 }] }
    ])
  })
})
