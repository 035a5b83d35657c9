import { describe, expect, test } from 'vitest'
import { expectBody, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { callAs, addShopper } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, type Reply } from '../support/shop.ts'

const products = { lemon: { price: 120, stock: 4 }, laddu: { price: 180.5, stock: 20 } } as const
const lines = [{ product: 'lemon', quantity: 2 }]
const CHANGED = '409 CART_CHANGED'

async function openCart(engine: Engine = 'sqlite') {
  const shop = await openShop(engine, { products })
  const anita = await addShopper(shop)
  return {
    shop,
    read: async () => (await callAs(anita, shop, 'GET /cart')).body,
    clear: async () => (await callAs(anita, shop, 'DELETE /cart')).body,
    save: (version: number, saved: object[] = lines): Promise<Reply> =>
      callAs(anita, shop, 'PUT /cart', { lines: saved, version })
  }
}

describe.each(ENGINES)("Shopper's cart on %s", engine => {
  test('accepts one of three concurrent changes and refuses the others', async () => {
    const { save, read } = await openCart(engine)
    const outcomes = (await Promise.all([save(0), save(0), save(0)])).map(statusAndCode)
    expect(outcomes.toSorted()).toEqual(['200', CHANGED, CHANGED])
    await expectOutcome(save(0), CHANGED)
    expect(await read()).toEqual({ lines, version: 1 })
  })

  test('can be cleared without a version, and changes based on an older version are then refused', async () => {
    const { save, clear } = await openCart(engine)
    expect(await clear()).toEqual({ lines: [], version: 1 })
    await save(1)
    expect(await clear()).toEqual({ lines: [], version: 3 })
    await expectOutcome(save(2), CHANGED)
  })
})

describe("Shopper's cart", () => {
  test('starts empty and increments its version with each save', async () => {
    const { shop, save, read } = await openCart()
    expect(await read()).toEqual({ lines: [], version: 0 })
    expect(await save(0)).toMatchObject({ status: 200, body: { lines, version: 1 } })
    const twoLines = [...lines, { product: 'laddu', quantity: 1, dealId: 'festival' }]
    expect((await save(1, twoLines)).body).toEqual({ lines: twoLines, version: 2 })
    expect(await read()).toEqual({ lines: twoLines, version: 2 })
    await expectBody(callAs(await addShopper(shop), shop, 'GET /cart'), {
      lines: []
    })
    await expectOutcome(shop.get('/cart'), '401 UNAUTHORIZED')
  })

  test('keeps the larger quantity if two lines have the same product, and refuses invalid lines', async () => {
    const { save } = await openCart()
    const lemons = (quantity: number, more = {}) => ({ product: 'lemon', quantity, ...more })
    for (const wrong of [
      ...[0, 100, 1.5].map(quantity => [lemons(quantity)]),
      [{ product: '', quantity: 1 }],
      [lemons(2, { dealId: 'festival' })],
      Array.from({ length: 51 }, (_, n) => ({ product: `p${n}`, quantity: 1 }))
    ])
      await expectOutcome(save(0, wrong), '400 INVALID_INPUT')
    await expectBody(save(0, [lemons(2), lemons(3)]), { lines: [lemons(3)] })
  })
})

test('Quote needs no session and reports the problem of each line', async () => {
  const { shop } = await openCart()
  const requested = [
    ...lines,
    { product: 'laddu', quantity: 21 },
    { product: 'dragonfruit', quantity: 1 },
    { product: 'laddu', quantity: 1, dealId: 'festival' }
  ]
  expect(await shop.post('/cart/quote', { lines: requested })).toMatchObject({
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
  const stranger = { authorization: `Bearer ${'x'.repeat(43)}` }
  await expectBody(shop.post('/cart/quote', { lines }, stranger), {
    total: 240
  })
})
