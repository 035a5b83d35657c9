// @vitest-environment happy-dom
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { $cart, addToCart } from '#lib/stores/cart.ts'
import { addDiscounted } from '#lib/stores/cart-discount.ts'
import { decodeCart } from '#lib/stores/cart-line.ts'
import { counts, LADDU, PAK, said, shopHas, startShopping, stopShopping } from '../support/cart.ts'

beforeEach(startShopping)
afterAll(stopShopping)

const DRAWN = { dealId: 'diwali', discount: 15 }

describe('adding with a drawn discount', () => {
  test("puts one pack in at the price reduced by the percent, and says 'Added to cart!'", () => {
    addDiscounted(LADDU, DRAWN)
    // 99.50 less 15 % is 84.575, half up.
    expect($cart.get()).toMatchObject([{ _id: 'boondi-laddu', price: 84.58, discount: 15, dealId: 'diwali' }])
    expect(counts()).toEqual([['boondi-laddu', 1]])
    expect(said()).toMatchObject({ title: 'Added to cart!' })
  })

  test('stands on a line of its own beside the plain product', () => {
    addToCart(PAK, 2)
    addDiscounted(PAK, DRAWN)
    expect($cart.get().map(({ price, quantity }) => [price, quantity.value])).toEqual([
      [180, 2],
      [153, 1]
    ])
  })

  test("a second time is refused: 'You cannot add more quantity of a discounted product'", () => {
    addDiscounted(PAK, DRAWN)
    addDiscounted(PAK, DRAWN)
    expect(counts()).toEqual([['mysore-pak', 1]])
    expect(said()).toMatchObject({ title: 'You cannot add more quantity of a discounted product' })
  })

  test('takes the place of the discount of an earlier deal', () => {
    addDiscounted(PAK, DRAWN)
    addDiscounted(PAK, { dealId: 'pongal', discount: 5 })
    expect($cart.get()).toMatchObject([{ dealId: 'pongal', price: 171 }])
  })

  test('is refused for what has sold out', async () => {
    await shopHas({ id: PAK._id, price: 180, stock: 'out' })
    addDiscounted(PAK, DRAWN)
    expect(counts()).toEqual([])
    expect(said()).toMatchObject({ text: 'Sorry, it has just sold out.' })
  })

  test('outlives a reload', () => {
    addDiscounted(PAK, DRAWN)
    expect(decodeCart(JSON.stringify($cart.get()))).toEqual({ lines: $cart.get(), dropped: 0 })
  })
})
