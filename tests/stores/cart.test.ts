// @vitest-environment happy-dom
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_CART_QUANTITY } from '#lib/constants.ts'
import { $cart, addToCart, countOf, updateQuantity } from '#lib/stores/cart.ts'
import { $toasts } from '#lib/stores/toasts.ts'
import { counts, DEAL, holds, LADDU, PAK, said, shopHas, startShopping, stopShopping } from '../support/cart.ts'

beforeEach(startShopping)
afterAll(stopShopping)

describe('adding', () => {
  test('puts a new product in with quantity 1 and says so', () => {
    addToCart(PAK)
    expect(counts()).toEqual([['mysore-pak', 1]])
    expect(said()).toEqual({ title: 'Item added to cart', text: 'Mysore Pak has been added to your cart.' })
  })

  test('raises the quantity of a product that is there by 1 and says so', () => {
    addToCart(PAK)
    addToCart(PAK)
    expect(counts()).toEqual([['mysore-pak', 2]])
    expect(said()).toEqual({ title: 'Item quantity updated', text: 'Mysore Pak quantity has been updated.' })
  })

  test('one product twice shows one toast', () => {
    addToCart(PAK)
    addToCart(PAK)
    expect($toasts.get()).toHaveLength(1)
  })

  test('takes as many packs as the stepper says', () => {
    addToCart(PAK, 3)
    addToCart(PAK, 2)
    expect(counts()).toEqual([['mysore-pak', 5]])
  })

  test('learns the price that the shopper saw last', () => {
    addToCart({ ...PAK, price: 170 })
    addToCart(PAK)
    expect($cart.get()[0]?.price).toBe(180)
  })

  test('keeps the unit and type of the pack, else piece and count', () => {
    addToCart(PAK)
    addToCart(LADDU)
    expect($cart.get().map(({ quantity }) => quantity)).toEqual([
      { value: 1, unit: 'g', type: 'weight' },
      { value: 1, unit: 'piece', type: 'count' }
    ])
  })

  test('keeps a discounted pack of the same product on a line of its own', () => {
    holds(DEAL)
    addToCart(PAK)
    expect($cart.get().map(({ discount }) => discount)).toEqual([20, undefined])
    expect(countOf($cart.get(), 'mysore-pak')).toBe(2)
  })

  test.for([0, -1, 1.5, NaN])('of %d packs is ignored', count => {
    addToCart(PAK, count)
    expect(counts()).toEqual([])
  })
})

describe('more than the shop has', () => {
  test('is refused with how many are left and how many are in the cart', async () => {
    await shopHas({ id: 'mysore-pak', price: 180, stock: 'low', left: 3 })
    addToCart(PAK, 3)
    addToCart(PAK)
    expect(counts()).toEqual([['mysore-pak', 3]])
    expect(said()).toEqual({ title: 'That is all we can pack', text: 'Only 3 left, 3 in your cart.' })
    expect($toasts.get().at(-1)?.kind).toBe('destructive')
  })

  test('is refused without a word of the cart while none are in it', async () => {
    await shopHas({ id: 'mysore-pak', price: 180, stock: 'low', left: 3 })
    addToCart(PAK, 4)
    expect(said()).toMatchObject({ text: 'Only 3 left.' })
  })

  test('counts plain and discounted packs together', async () => {
    await shopHas({ id: 'mysore-pak', price: 180, stock: 'low', left: 2 })
    holds(DEAL)
    addToCart(PAK)
    addToCart(PAK)
    expect(countOf($cart.get(), 'mysore-pak')).toBe(2)
  })

  test('is refused for what has just sold out', async () => {
    await shopHas({ id: 'mysore-pak', price: 180, stock: 'out' })
    addToCart(PAK)
    expect(counts()).toEqual([])
    expect(said()).toMatchObject({ text: 'Sorry, it has just sold out.' })
  })

  test('is refused beyond what one order may hold', () => {
    addToCart(PAK, MAX_CART_QUANTITY)
    updateQuantity(PAK, MAX_CART_QUANTITY + 1)
    expect(counts()).toEqual([['mysore-pak', MAX_CART_QUANTITY]])
    expect(said()).toMatchObject({ text: expect.stringContaining(`at most ${MAX_CART_QUANTITY} packs`) as unknown })
  })

  test('may still be lowered', async () => {
    addToCart(PAK, 9)
    await shopHas({ id: 'mysore-pak', price: 180, stock: 'low', left: 3 })
    updateQuantity(PAK, 8)
    expect(counts()).toEqual([['mysore-pak', 8]])
  })
})

describe('changing a quantity', () => {
  test('applies at once and says so', () => {
    addToCart(PAK)
    updateQuantity(PAK, 4)
    expect(counts()).toEqual([['mysore-pak', 4]])
    expect(said()).toEqual({ title: 'Item quantity updated', text: 'Mysore Pak quantity has been updated.' })
  })

  test.for([0, -3, 1.5, NaN])('to %d is ignored', count => {
    addToCart(PAK, 2)
    updateQuantity(PAK, count)
    expect(counts()).toEqual([['mysore-pak', 2]])
  })

  test('of a product that is not there is ignored', () => {
    updateQuantity(PAK, 2)
    expect(counts()).toEqual([])
  })

  test("upwards is refused for a discounted product: 'You cannot add more quantity of a discounted product'", () => {
    holds(DEAL)
    updateQuantity(DEAL, 2)
    expect(counts()).toEqual([['mysore-pak', 1]])
    expect(said()).toMatchObject({ title: 'You cannot add more quantity of a discounted product' })
  })

  test('leaves the other line of the same product alone', () => {
    holds(DEAL)
    addToCart(PAK)
    updateQuantity(PAK, 3)
    expect(counts()).toEqual([
      ['mysore-pak', 1],
      ['mysore-pak', 3]
    ])
  })
})
