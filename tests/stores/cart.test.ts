import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_CART_QUANTITY } from '#lib/constants.ts'
import { $cart, addToCart, countPacksOfProduct, updateQuantity } from '#lib/stores/cart.ts'
import { $toasts } from '#lib/stores/toasts.ts'
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

describe('Adding to the cart', () => {
  test('adds a new product with quantity 1 and shows a toast', () => {
    addToCart(PAK)
    expect(cartQuantities()).toEqual([['mysore-pak', 1]])
    expect(lastToast()).toEqual({
      title: 'Item added to cart',
      text: 'Mysore Pak has been added to your cart.'
    })
  })

  test('increases the quantity and shows a toast if the product is already in the cart', () => {
    addToCart(PAK)
    addToCart(PAK)
    expect(cartQuantities()).toEqual([['mysore-pak', 2]])
    expect(lastToast()).toEqual({
      title: 'Item quantity updated',
      text: 'Mysore Pak quantity has been updated.'
    })
  })

  test('offers the cart in the toast, with the number of packs in it', () => {
    addToCart(LADDU)
    addToCart(PAK, 2)
    expect($toasts.get().at(-1)?.link).toEqual({ label: 'View cart (3)', href: '/cart' })
  })

  test('shows only one toast if the same product is added twice', () => {
    addToCart(PAK)
    addToCart(PAK)
    expect($toasts.get()).toHaveLength(1)
  })

  test('adds the given number of packs', () => {
    addToCart(PAK, 3)
    addToCart(PAK, 2)
    expect(cartQuantities()).toEqual([['mysore-pak', 5]])
  })

  test('updates the line to the latest price', () => {
    addToCart({ ...PAK, price: 170 })
    addToCart(PAK)
    expect($cart.get()[0]?.price).toBe(180)
  })

  test('stores the unit and type of the pack, by default piece and count', () => {
    addToCart(PAK)
    addToCart(LADDU)
    expect($cart.get().map(({ quantity }) => quantity)).toEqual([
      { value: 1, unit: 'g', type: 'weight' },
      { value: 1, unit: 'piece', type: 'count' }
    ])
  })

  test('adds a separate line if the cart has a discounted pack of the product', () => {
    fillCart(DEAL_LINE)
    addToCart(PAK)
    expect($cart.get().map(({ discount }) => discount)).toEqual([20, undefined])
    expect(countPacksOfProduct($cart.get(), 'mysore-pak')).toBe(2)
  })

  test.for([0, -1, 1.5, NaN])('ignores a quantity of %d', count => {
    addToCart(PAK, count)
    expect(cartQuantities()).toEqual([])
  })
})

describe('Adding too many packs', () => {
  test('fails and shows how many packs are left and how many are in the cart', async () => {
    await setLiveProducts({ id: 'mysore-pak', price: 180, stock: 'low', left: 3 })
    addToCart(PAK, 3)
    addToCart(PAK)
    expect(cartQuantities()).toEqual([['mysore-pak', 3]])
    expect(lastToast()).toEqual({ title: 'Can’t add more', text: 'Only 3 left, 3 in your cart.' })
    expect($toasts.get().at(-1)?.kind).toBe('destructive')
  })

  test('shows only how many packs are left if the cart does not contain the product', async () => {
    await setLiveProducts({ id: 'mysore-pak', price: 180, stock: 'low', left: 3 })
    addToCart(PAK, 4)
    expect(lastToast()).toMatchObject({ text: 'Only 3 left.' })
  })

  test('counts normal and discounted packs together', async () => {
    await setLiveProducts({ id: 'mysore-pak', price: 180, stock: 'low', left: 2 })
    fillCart(DEAL_LINE)
    addToCart(PAK)
    addToCart(PAK)
    expect(countPacksOfProduct($cart.get(), 'mysore-pak')).toBe(2)
  })

  test('fails for a product that has sold out', async () => {
    await setLiveProducts({ id: 'mysore-pak', price: 180, stock: 'out' })
    addToCart(PAK)
    expect(cartQuantities()).toEqual([])
    expect(lastToast()).toMatchObject({ text: 'Sorry, this product has just sold out.' })
  })

  test('fails above the maximum quantity of a line', () => {
    addToCart(PAK, MAX_CART_QUANTITY)
    updateQuantity(PAK, MAX_CART_QUANTITY + 1)
    expect(cartQuantities()).toEqual([['mysore-pak', MAX_CART_QUANTITY]])
    expect(lastToast()).toMatchObject({
      text: expect.stringContaining(`up to ${MAX_CART_QUANTITY} packs`) as unknown
    })
  })

  test('a quantity above the stock can still be reduced', async () => {
    addToCart(PAK, 9)
    await setLiveProducts({ id: 'mysore-pak', price: 180, stock: 'low', left: 3 })
    updateQuantity(PAK, 8)
    expect(cartQuantities()).toEqual([['mysore-pak', 8]])
  })
})

describe('Changing a quantity', () => {
  test('takes effect at once and shows a toast', () => {
    addToCart(PAK)
    updateQuantity(PAK, 4)
    expect(cartQuantities()).toEqual([['mysore-pak', 4]])
    expect(lastToast()).toEqual({
      title: 'Item quantity updated',
      text: 'Mysore Pak quantity has been updated.'
    })
  })

  test.for([0, -3, 1.5, NaN])('ignores a quantity of %d', count => {
    addToCart(PAK, 2)
    updateQuantity(PAK, count)
    expect(cartQuantities()).toEqual([['mysore-pak', 2]])
  })

  test('ignores a product that is not in the cart', () => {
    updateQuantity(PAK, 2)
    expect(cartQuantities()).toEqual([])
  })

  test("fails for a discounted product with 'You cannot add more quantity of a discounted product'", () => {
    fillCart(DEAL_LINE)
    updateQuantity(DEAL_LINE, 2)
    expect(cartQuantities()).toEqual([['mysore-pak', 1]])
    expect(lastToast()).toMatchObject({
      title: 'You cannot add more quantity of a discounted product'
    })
  })

  test('changes only the normal line if the product also has a discounted line', () => {
    fillCart(DEAL_LINE)
    addToCart(PAK)
    updateQuantity(PAK, 3)
    expect(cartQuantities()).toEqual([
      ['mysore-pak', 1],
      ['mysore-pak', 3]
    ])
  })
})
