import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminProduct } from '#lib/contract/admin/products.ts'
import { readCounter } from '#server/queries/counters.ts'
import { outcome } from '../support/accounts.ts'
import { ownersShop, type OwnersShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const productOf = ({ body }: Reply): AdminProduct => body as AdminProduct
const fieldsOf = ({ body }: Reply): unknown => (body as { fields?: unknown }).fields

describe.each(ENGINES)('a new product on %s', engine => {
  test('gets a readable address of its own, and is found by visitors at once', async () => {
    const shop = await ownersShop(engine)
    const first = await shop.create()
    expect([first.status, productOf(first)]).toEqual([
      201,
      expect.objectContaining({ id: 'rava-kesari', price: 150.5, stock: 12, version: 1, hiddenAt: null, rating: 0 })
    ])
    expect(productOf(first).pictures).toEqual([expect.objectContaining({ alt: 'A bowl of kesari' })])
    expect(productOf(await shop.create()).id).toBe('rava-kesari-2')
    expect(productOf(await shop.create({ name: 'ரவா கேசரி' })).id).toBe('product')
    expect(productOf(await shop.create({ name: '  Crème & Badám  Halwa!' })).id).toBe('creme-badam-halwa')
    expect(await shop.visible()).toContain('rava-kesari-2')
    expect(await shop.history('rava-kesari')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^created null .*"Rava Kesari"/), 'created null {"stock":12}'])
    )
  })

  test('is made once, however often its form is sent, and then takes what was typed since', async () => {
    const shop = await ownersShop(engine)
    const key = randomUUID()
    const sent = await Promise.all([shop.create({ key }), shop.create({ key }), shop.create({ key })])
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(sent.map(reply => productOf(reply).id))).toEqual(new Set(['rava-kesari']))
    const again = await shop.create({ key, name: 'Kesari', stock: 9 })
    expect(productOf(again)).toMatchObject({ id: 'rava-kesari', name: 'Kesari', stock: 9 })
    expect(outcome(await shop.create({ key, name: 'Something else' }))).toBe('409 CHANGED_MEANWHILE')
  })

  test('says what is wrong with each field', async () => {
    const shop = await ownersShop(engine)
    const wrong = {
      name: ' ',
      price: 0.999,
      stock: 1.5,
      category: 'cakes',
      ingredients: [],
      quantity: { value: 0, unit: 'g' }
    }
    const reply = await shop.create(wrong as object)
    expect(outcome(reply)).toBe('400 INVALID_INPUT')
    expect(fieldsOf(reply)).toEqual({
      name: 'Please enter a name',
      price: 'Please enter a price from ₹1, with at most two decimals',
      stock: 'Please enter a whole number of packs, 0 or more',
      category: 'Please choose a category',
      ingredients: 'Please list what is in it',
      'quantity.value': 'Please enter the size of a pack, such as 250 g or 12 pieces'
    })
  })

  test('needs a picture of the shop before visitors see it', async () => {
    const shop = await ownersShop(engine)
    expect(fieldsOf(await shop.create({ pictures: [] }))).toEqual({ pictures: expect.stringMatching(/picture/) })
    const unknown = await shop.create({ pictures: [{ key: 'nothing-12345678', alt: 'Nothing' }] })
    expect(fieldsOf(unknown)).toEqual({ pictures: expect.stringMatching(/not in the shop/) })
    const hidden = await shop.create({ pictures: [], hidden: true })
    expect(productOf(hidden).hiddenAt).toBe('2026-11-21T04:00:00.000Z')
    expect(await shop.visible()).toEqual(['laddu', 'murukku'])
    expect(outcome(await shop.change('rava-kesari', { version: 1, hidden: false }))).toBe('400 INVALID_INPUT')
  })
})

describe.each(ENGINES)('a change of a product on %s', engine => {
  test('touches what is named and nothing else, and is remembered', async () => {
    const shop = await ownersShop(engine)
    const before = await shop.product('laddu')
    const version = await readCounter(shop.database.kysely, 'catalog')
    const reply = await shop.change('laddu', { version: 1, price: 120, description: before.description })
    expect(productOf(reply)).toEqual({ ...before, price: 120, version: 2 })
    expect(await shop.history('laddu')).toEqual(['changed {"price":100} {"price":120}'])
    expect(await readCounter(shop.database.kysely, 'catalog')).toBeGreaterThan(version)
    expect((await shop.get('/products/laddu')).body).toMatchObject({ price: 120 })
  })

  test('of a stale version is refused, unless it is what the product is already', async () => {
    const shop = await ownersShop(engine)
    await shop.change('laddu', { version: 1, price: 120 })
    const late = await shop.change('laddu', { version: 1, name: 'Boondi Laddu' })
    expect(outcome(late)).toBe('409 CHANGED_MEANWHILE')
    expect((late.body as { message: string }).message).toMatch(/Somebody else/)
    expect(productOf(await shop.change('laddu', { version: 1, price: 120 }))).toMatchObject({ price: 120, version: 2 })
    expect(await shop.history('laddu')).toHaveLength(1)
  })

  test('of two that start from the same version, keeps one', async () => {
    const shop = await ownersShop(engine)
    const replies = await Promise.all([110, 120, 130].map(price => shop.change('laddu', { version: 1, price })))
    expect(replies.map(outcome).sort()).toEqual(['200', '409 CHANGED_MEANWHILE', '409 CHANGED_MEANWHILE'])
    expect((await shop.product('laddu')).version).toBe(2)
  })

  test('puts its pictures in a new order, with what they show', async () => {
    const shop = await ownersShop(engine, { products: { laddu: { pictures: ['one', 'two'] } } })
    const pictures = [
      { key: 'two-00000000', alt: 'From above' },
      { key: 'one-00000000', alt: 'From the side' }
    ]
    expect(productOf(await shop.change('laddu', { version: 1, pictures }))).toMatchObject({
      image: 'two-00000000.jpg',
      extraImages: ['one-00000000.jpg'],
      pictures
    })
    const twice = await shop.change('laddu', { version: 2, pictures: [pictures[0], pictures[0]] })
    expect(outcome(twice)).toBe('400 INVALID_INPUT')
  })

  test('of what is not there is refused', async () => {
    const shop = await ownersShop(engine)
    expect(outcome(await shop.change('unicorn', { version: 1, price: 1 }))).toBe('404 PRODUCT_NOT_FOUND')
    expect(outcome(await shop.change('laddu', { price: 1 }))).toBe('400 INVALID_INPUT')
  })
})

describe.each(ENGINES)('a change of stock on %s', engine => {
  const sell = (shop: OwnersShop): Promise<unknown> =>
    shop.write(trx =>
      trx
        .updateTable('products')
        .set(row => ({ stock: row('stock', '-', 1) }))
        .where('id', '=', 'murukku')
        .execute()
    )

  test('needs no version, and is remembered apart', async () => {
    const shop = await ownersShop(engine)
    await shop.change('murukku', { version: 1, price: 90 })
    const reply = await shop.change('murukku', { version: 1, stock: { from: 30, to: 40 } })
    expect(productOf(reply)).toMatchObject({ stock: 40, version: 2 })
    expect(await shop.history('murukku')).toContain('changed {"stock":30} {"stock":40}')
  })

  test('is refused when packs were sold meanwhile, and says how many are left', async () => {
    const shop = await ownersShop(engine)
    await sell(shop)
    const reply = await shop.change('murukku', { version: 1, price: 90, stock: { from: 30, to: 40 } })
    expect([outcome(reply), reply.text]).toEqual(['409 CHANGED_MEANWHILE', expect.stringContaining('it is 29 now')])
    expect(await shop.product('murukku')).toMatchObject({ stock: 29, price: 100 })
  })

  test('sent twice is done once', async () => {
    const shop = await ownersShop(engine)
    const change = { version: 1, stock: { from: 30, to: 40 } }
    await shop.change('murukku', change)
    expect(productOf(await shop.change('murukku', change)).stock).toBe(40)
    expect(await shop.history('murukku')).toHaveLength(1)
  })
})

describe.each(ENGINES)('hiding and removing on %s', engine => {
  test('a hidden product vanishes from all that visitors read, with its deals', async () => {
    const shop = await ownersShop(engine, { products: { laddu: {} }, deals: { big: { product: 'laddu' } } })
    await shop.change('laddu', { version: 1, hidden: true })
    expect(await shop.visible()).toEqual([])
    expect(outcome(await shop.get('/products/laddu'))).toBe('404 PRODUCT_NOT_FOUND')
    for (const path of ['/discounted-products', '/flash-deals']) expect((await shop.get(path)).body).toEqual([])
    expect((await shop.get('/catalog/live')).body).toEqual({ products: [] })
    await shop.change('laddu', { version: 2, hidden: false })
    expect(await shop.visible()).toEqual(['laddu'])
    expect(await shop.history('laddu')).toEqual(
      expect.arrayContaining(['hidden {"hidden":false} {"hidden":true}', 'shown {"hidden":true} {"hidden":false}'])
    )
  })

  test('a product that nothing speaks of is removed', async () => {
    const shop = await ownersShop(engine)
    expect(outcome(await shop.ask('DELETE /admin/products/laddu?version=7'))).toBe('409 CHANGED_MEANWHILE')
    expect((await shop.ask('DELETE /admin/products/laddu?version=1')).body).toEqual({ outcome: 'deleted' })
    expect(await shop.visible()).toEqual(['murukku'])
    expect(outcome(await shop.ask('GET /admin/products/laddu'))).toBe('404 PRODUCT_NOT_FOUND')
    expect(outcome(await shop.ask('DELETE /admin/products/laddu?version=1'))).toBe('404 PRODUCT_NOT_FOUND')
    expect(await shop.history('laddu')).toEqual([expect.stringMatching(/^deleted .*"name":"laddu".* null$/)])
  })

  test('a product that deals speak of is hidden instead', async () => {
    const shop = await ownersShop(engine, { products: { laddu: {} }, deals: { big: { product: 'laddu' } } })
    expect((await shop.product('laddu')).isReferred).toBe(true)
    expect((await shop.ask('DELETE /admin/products/laddu?version=1')).body).toEqual({ outcome: 'hidden' })
    expect((await shop.product('laddu')).hiddenAt).not.toBeNull()
    expect((await shop.ask('DELETE /admin/products/laddu?version=1')).body).toEqual({ outcome: 'hidden' })
    expect(await shop.visible()).toEqual([])
  })

  test('the owner’s list has hidden ones too', async () => {
    const shop = await ownersShop(engine)
    await shop.change('laddu', { version: 1, hidden: true })
    const { body } = await shop.ask('GET /admin/products')
    expect((body as AdminProduct[]).map(({ id, hiddenAt }) => [id, hiddenAt !== null])).toEqual([
      ['laddu', true],
      ['murukku', false]
    ])
  })
})
