// @vitest-environment happy-dom
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { $cart, addToCart, clearCart, countAll, removeFromCart, restoreToCart } from '#lib/stores/cart.ts'
import { $cartTotal, $cartView } from '#lib/stores/cart-shown.ts'
import { counts, DEAL, holds, LADDU, PAK, said, shopHas, startShopping, stopShopping } from '../support/cart.ts'

beforeEach(startShopping)
afterAll(stopShopping)

describe('removing', () => {
  test('deletes the line and says so', () => {
    addToCart(PAK)
    addToCart(LADDU)
    removeFromCart(PAK)
    expect(counts()).toEqual([['boondi-laddu', 1]])
    expect(said()).toEqual({ title: 'Item removed', text: 'The item has been removed from your cart.' })
  })

  test('of the discounted line keeps the plain one', () => {
    holds(DEAL)
    addToCart(PAK)
    removeFromCart(DEAL)
    expect($cart.get().map(({ discount }) => discount)).toEqual([undefined])
  })

  test('can be taken back: the line stands where it stood', () => {
    addToCart(PAK, 2)
    addToCart(LADDU)
    const [first] = $cart.get()
    removeFromCart(PAK)
    if (first) restoreToCart(first, 0)
    expect(counts()).toEqual([
      ['mysore-pak', 2],
      ['boondi-laddu', 1]
    ])
  })

  test('is not taken back where the product was added anew since', () => {
    addToCart(PAK, 2)
    const [first] = $cart.get()
    removeFromCart(PAK)
    addToCart(PAK)
    if (first) restoreToCart(first, 0)
    expect(counts()).toEqual([['mysore-pak', 1]])
  })
})

describe('clearing', () => {
  test('empties the cart and the storage and says so', () => {
    addToCart(PAK)
    expect(localStorage.getItem('cart')).toContain('mysore-pak')
    clearCart()
    expect(counts()).toEqual([])
    expect(localStorage.getItem('cart')).toBeNull()
    expect(said()).toEqual({ title: 'Cart cleared', text: 'All items have been removed from your cart.' })
  })
})

describe('totals', () => {
  test('the badge counts all packs of all lines', () => {
    addToCart(PAK, 2)
    addToCart(LADDU, 3)
    expect(countAll($cart.get())).toBe(5)
  })

  test('the cart total is the sum of price times quantity, in whole paise', () => {
    addToCart(PAK, 2)
    addToCart(LADDU, 3)
    expect($cartTotal.get()).toBe(65_850)
  })

  test('follow the shop when its price changes', async () => {
    addToCart(PAK, 2)
    await shopHas({ id: 'mysore-pak', price: 190, stock: 'in' })
    expect($cartTotal.get()).toBe(38_000)
    expect($cartView.get().lines[0]?.changes).toEqual(['Price is now ₹190.00'])
  })
})
