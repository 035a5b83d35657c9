import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { $cart, addToCart, addDiscountedProduct, addWithDiscount } from '#lib/stores/cart.ts'
import { decodeCart } from '#lib/cart/line.ts'
import {
  cartQuantities,
  LADDU,
  PAK,
  lastToast,
  setLiveProducts,
  setUpCart,
  tearDownCart
} from '../support/cart.ts'

beforeEach(setUpCart)
afterAll(tearDownCart)

const DRAWN_DISCOUNT = { dealId: 'diwali', discount: 15 }

describe('Adding a product with a drawn discount', () => {
  test("adds one pack at the reduced price and shows 'Added to cart!'", () => {
    addDiscountedProduct(LADDU, DRAWN_DISCOUNT)
    // 15 % off ₹99.50 leaves ₹84.575, which is rounded half up.
    expect($cart.get()).toMatchObject([
      { _id: 'boondi-laddu', price: 84.58, discount: 15, dealId: 'diwali' }
    ])
    expect(cartQuantities()).toEqual([['boondi-laddu', 1]])
    expect(lastToast()).toMatchObject({ title: 'Added to cart!' })
  })

  test('adds a separate line if the cart has packs at the normal price', () => {
    addToCart(PAK, 2)
    addDiscountedProduct(PAK, DRAWN_DISCOUNT)
    expect($cart.get().map(({ price, quantity }) => [price, quantity.value])).toEqual([
      [180, 2],
      [153, 1]
    ])
  })

  test("fails with 'You cannot add more quantity of a discounted product' if the cart already has that pack", () => {
    addDiscountedProduct(PAK, DRAWN_DISCOUNT)
    addDiscountedProduct(PAK, DRAWN_DISCOUNT)
    expect(cartQuantities()).toEqual([['mysore-pak', 1]])
    expect(lastToast()).toMatchObject({
      title: 'You cannot add more quantity of a discounted product'
    })
  })

  test('replaces a pack that was discounted in an earlier deal', () => {
    addDiscountedProduct(PAK, DRAWN_DISCOUNT)
    addDiscountedProduct(PAK, { dealId: 'pongal', discount: 5 })
    expect($cart.get()).toMatchObject([{ dealId: 'pongal', price: 171 }])
  })

  test('fails for a product that has sold out', async () => {
    await setLiveProducts({ id: PAK._id, price: 180, stock: 'out' })
    addDiscountedProduct(PAK, DRAWN_DISCOUNT)
    expect(cartQuantities()).toEqual([])
    expect(lastToast()).toMatchObject({ text: 'Sorry, this product has just sold out.' })
  })

  test('adds further packs of the same order at the normal price', () => {
    addWithDiscount(PAK, 3, DRAWN_DISCOUNT)
    addWithDiscount(PAK, 1, DRAWN_DISCOUNT)
    expect($cart.get().map(({ price, quantity }) => [price, quantity.value])).toEqual([
      [153, 1],
      [180, 3]
    ])
  })

  test('adds a line that can be stored as JSON and read back unchanged', () => {
    addDiscountedProduct(PAK, DRAWN_DISCOUNT)
    expect(decodeCart(JSON.stringify($cart.get()))).toEqual({ lines: $cart.get(), droppedCount: 0 })
  })
})
