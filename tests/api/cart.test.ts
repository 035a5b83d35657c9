import { describe, expect, test } from 'vitest'
import { statusAndCode } from '../support/accounts.ts'
import { callAs, addShopper } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

const products = { lemon: { price: 120, stock: 4 }, laddu: { price: 180.5, stock: 20 } } as const
const lines = [{ product: 'lemon', quantity: 2 }]

describe.each(ENGINES)("Shopper's cart on %s", engine => {
  test('accepts one of three concurrent changes and refuses the others', async () => {
    const shop = await openShop(engine, { products })
    const anita = await addShopper(shop)
    const change = (version: number) => callAs(anita, shop, 'PUT /cart', { lines, version })
    const outcomes = (await Promise.all([change(0), change(0), change(0)])).map(statusAndCode)
    expect(outcomes.toSorted()).toEqual(['200', '409 CART_CHANGED', '409 CART_CHANGED'])
    expect(statusAndCode(await change(0))).toBe('409 CART_CHANGED')
    expect((await callAs(anita, shop, 'GET /cart')).body).toMatchObject({ version: 1 })
  })

  test('can be cleared without a version, and changes based on an older version are then refused', async () => {
    const shop = await openShop(engine, { products })
    const anita = await addShopper(shop)
    expect((await callAs(anita, shop, 'DELETE /cart')).body).toEqual({ lines: [], version: 1 })
    await callAs(anita, shop, 'PUT /cart', { lines, version: 1 })
    expect((await callAs(anita, shop, 'DELETE /cart')).body).toEqual({ lines: [], version: 3 })
    expect(statusAndCode(await callAs(anita, shop, 'PUT /cart', { lines, version: 2 }))).toBe(
      '409 CART_CHANGED'
    )
  })
})

describe("Shopper's cart", () => {
  test('starts empty and increments its version with each save', async () => {
    const shop = await openShop('sqlite', { products })
    const anita = await addShopper(shop)
    expect((await callAs(anita, shop, 'GET /cart')).body).toEqual({ lines: [], version: 0 })
    const saved = await callAs(anita, shop, 'PUT /cart', { lines, version: 0 })
    expect([saved.status, saved.body]).toEqual([200, { lines, version: 1 }])
    const twoLines = [...lines, { product: 'laddu', quantity: 1, dealId: 'festival' }]
    expect((await callAs(anita, shop, 'PUT /cart', { lines: twoLines, version: 1 })).body).toEqual({
      lines: twoLines,
      version: 2
    })
    expect((await callAs(anita, shop, 'GET /cart')).body).toEqual({ lines: twoLines, version: 2 })
  })

  test('gets version 1 when it is new, even if the browser sends the largest version', async () => {
    const shop = await openShop('sqlite', { products })
    const anita = await addShopper(shop)
    const version = Number.MAX_SAFE_INTEGER
    expect((await callAs(anita, shop, 'PUT /cart', { lines, version })).body).toEqual({
      lines,
      version: 1
    })
    expect((await callAs(anita, shop, 'PUT /cart', { lines, version: 1 })).body).toEqual({
      lines,
      version: 2
    })
    expect(statusAndCode(await callAs(anita, shop, 'PUT /cart', { lines, version }))).toBe(
      '409 CART_CHANGED'
    )
  })

  test('keeps the larger quantity if two lines have the same product', async () => {
    const shop = await openShop('sqlite', { products })
    const anita = await addShopper(shop)
    const duplicateLines = [...lines, { product: 'lemon', quantity: 3 }]
    expect(
      (await callAs(anita, shop, 'PUT /cart', { lines: duplicateLines, version: 0 })).body
    ).toMatchObject({
      lines: [{ product: 'lemon', quantity: 3 }]
    })
  })

  test('is visible only to its shopper and refuses invalid lines', async () => {
    const shop = await openShop('sqlite', { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    await callAs(anita, shop, 'PUT /cart', { lines, version: 0 })
    expect((await callAs(bala, shop, 'GET /cart')).body).toEqual({ lines: [], version: 0 })
    expect(statusAndCode(await shop.get('/cart'))).toBe('401 UNAUTHORIZED')
    for (const wrong of [
      { product: 'lemon', quantity: 0 },
      { product: 'lemon', quantity: 100 },
      { product: 'lemon', quantity: 1.5 },
      { product: '', quantity: 1 },
      { product: 'lemon', quantity: 2, dealId: 'festival' }
    ]) {
      expect(
        statusAndCode(await callAs(bala, shop, 'PUT /cart', { lines: [wrong], version: 0 }))
      ).toBe('400 INVALID_INPUT')
    }
    const tooManyLines = Array.from({ length: 51 }, (_, n) => ({ product: `p${n}`, quantity: 1 }))
    expect(
      statusAndCode(await callAs(bala, shop, 'PUT /cart', { lines: tooManyLines, version: 0 }))
    ).toBe('400 INVALID_INPUT')
  })
})

describe('Quote', () => {
  test('needs no session and reports the problem of each line', async () => {
    const shop = await openShop('sqlite', { products })
    const requestedLines = [
      { product: 'lemon', quantity: 2 },
      { product: 'laddu', quantity: 21 },
      { product: 'dragonfruit', quantity: 1 },
      { product: 'laddu', quantity: 1, dealId: 'festival' }
    ]
    const reply = await shop.post('/cart/quote', { lines: requestedLines })
    expect(reply).toMatchObject({
      status: 200,
      body: {
        canOrder: false,
        serverTime: '2026-11-21T04:00:00.000Z',
        lines: [
          { product: 'lemon', price: 120, total: 240, stock: 'low', most: 4 },
          { product: 'laddu', stock: 'in', most: 20, problem: 'too_few' },
          { product: 'dragonfruit', name: '', price: 0, stock: 'out', most: 0, problem: 'gone' },
          { product: 'laddu', price: 180.5, problem: 'out_of_stock' }
        ]
      }
    })
    expect((await shop.post('/cart/quote', { lines: [] })).body).toMatchObject({
      lines: [],
      total: 0,
      canOrder: false
    })
  })

  test('ignores an invalid token', async () => {
    const shop = await openShop('sqlite', { products })
    const stranger = { id: '', name: '', token: 'x'.repeat(43) }
    expect((await callAs(stranger, shop, 'POST /cart/quote', { lines })).body).toMatchObject({
      total: 240
    })
  })

  test('reports hidden products as no longer sold', async () => {
    const shop = await openShop('sqlite', { products })
    await shop.write(trx =>
      trx.updateTable('products').set({ hidden_at: '2026-11-21T00:00:00.000Z' }).execute()
    )
    expect((await shop.post('/cart/quote', { lines })).body).toMatchObject({
      lines: [{ problem: 'gone' }]
    })
  })
})
