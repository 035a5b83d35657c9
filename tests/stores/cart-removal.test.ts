import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  $cart,
  addToCart,
  clearCart,
  countPacks,
  removeFromCart,
  restoreToCart
} from '#lib/stores/cart.ts'
import { $cartView } from '#lib/stores/quote.ts'
import {
  cartQuantities,
  DEAL_LINE,
  fillCart,
  LADDU,
  PAK,
  lastToast,
  setLiveProducts,
  setUpCart,
  tearDownCart
} from '../support/cart.ts'

beforeEach(setUpCart)
afterAll(tearDownCart)

describe('Removing a line from the cart', () => {
  test('removes the line and shows a toast', () => {
    addToCart(PAK)
    addToCart(LADDU)
    removeFromCart(PAK)
    expect(cartQuantities()).toEqual([['boondi-laddu', 1]])
    expect(lastToast()).toEqual({
      title: 'Item removed',
      text: 'The item has been removed from your cart.'
    })
  })

  test('keeps the normal line of a product if its discounted line is removed', () => {
    fillCart(DEAL_LINE)
    addToCart(PAK)
    removeFromCart(DEAL_LINE)
    expect($cart.get().map(({ discount }) => discount)).toEqual([undefined])
  })

  test('can be undone, and the line returns to its old position', () => {
    addToCart(PAK, 2)
    addToCart(LADDU)
    const [first] = $cart.get()
    removeFromCart(PAK)
    if (first) restoreToCart(first, 0)
    expect(cartQuantities()).toEqual([
      ['mysore-pak', 2],
      ['boondi-laddu', 1]
    ])
  })

  test('cannot be undone if the product was added again', () => {
    addToCart(PAK, 2)
    const [first] = $cart.get()
    removeFromCart(PAK)
    addToCart(PAK)
    if (first) restoreToCart(first, 0)
    expect(cartQuantities()).toEqual([['mysore-pak', 1]])
  })
})

describe('Clearing the cart', () => {
  test('empties the cart and its storage and shows a toast', () => {
    addToCart(PAK)
    expect(localStorage.getItem('cart')).toContain('mysore-pak')
    clearCart()
    expect(cartQuantities()).toEqual([])
    expect(localStorage.getItem('cart')).toBeNull()
    expect(lastToast()).toEqual({
      title: 'Cart cleared',
      text: 'All items have been removed from your cart.'
    })
  })
})

describe('Cart totals', () => {
  test('count the packs of all lines', () => {
    addToCart(PAK, 2)
    addToCart(LADDU, 3)
    expect(countPacks($cart.get())).toBe(5)
  })

  test('add up price × quantity of all lines, in paise', () => {
    addToCart(PAK, 2)
    addToCart(LADDU, 3)
    expect($cartView.get().total).toBe(65_850)
  })

  test('change when a price changes', async () => {
    addToCart(PAK, 2)
    await setLiveProducts({ id: 'mysore-pak', price: 190, stock: 'in' })
    expect($cartView.get().total).toBe(38_000)
    expect($cartView.get().lines[0]?.changes).toEqual(['Price is now ₹190.00'])
  })
})
