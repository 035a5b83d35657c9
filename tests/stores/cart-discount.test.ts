// @vitest-environment happy-dom
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { $cart, addToCart } from '#lib/stores/cart.ts'
import { addDiscounted } from '#lib/stores/cart-discount.ts'
import { decodeCart } from '#lib/stores/cart-line.ts'
import { cartQuantities, LADDU, PAK, lastToast, setLiveProducts, setUpCart, tearDownCart } from '../support/cart.ts'

beforeEach(setUpCart)
afterAll(tearDownCart)

const DRAWN = { dealId: 'diwali', discount: 15 }

describe('Adding a product with a drawn discount', () => {
  test("adds one pack at the reduced price and shows 'Added to cart!'", () => {
    addDiscounted(LADDU, DRAWN)
    // 99.50 less 15 % is 84.575, half up.
    expect($cart.get()).toMatchObject([{ _id: 'boondi-laddu', price: 84.58, discount: 15, dealId: 'diwali' }])
    expect(cartQuantities()).toEqual([['boondi-laddu', 1]])
    expect(lastToast()).toMatchObject({ title: 'Added to cart!' })
  })

  test('is a separate line from packs at the normal price', () => {
    addToCart(PAK, 2)
    addDiscounted(PAK, DRAWN)
    expect($cart.get().map(({ price, quantity }) => [price, quantity.value])).toEqual([
      [180, 2],
      [153, 1]
    ])
  })

  test("fails a second time with 'You cannot add more quantity of a discounted product'", () => {
    addDiscounted(PAK, DRAWN)
    addDiscounted(PAK, DRAWN)
    expect(cartQuantities()).toEqual([['mysore-pak', 1]])
    expect(lastToast()).toMatchObject({ title: 'You cannot add more quantity of a discounted product' })
  })

  test('replaces the discount of an earlier deal', () => {
    addDiscounted(PAK, DRAWN)
    addDiscounted(PAK, { dealId: 'pongal', discount: 5 })
    expect($cart.get()).toMatchObject([{ dealId: 'pongal', price: 171 }])
  })

  test('fails for a product that has sold out', async () => {
    await setLiveProducts({ id: PAK._id, price: 180, stock: 'out' })
    addDiscounted(PAK, DRAWN)
    expect(cartQuantities()).toEqual([])
    expect(lastToast()).toMatchObject({ text: 'Sorry, this product has just sold out.' })
  })

  test('survives a reload', () => {
    addDiscounted(PAK, DRAWN)
    expect(decodeCart(JSON.stringify($cart.get()))).toEqual({ lines: $cart.get(), dropped: 0 })
  })
})
