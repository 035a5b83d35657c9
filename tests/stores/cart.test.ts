import { cleanStores } from 'nanostores'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addBoxToCart, findBox } from '#elements/box.ts'
import { decodeCart, type CartLine, type CartProduct } from '#lib/cart/line.ts'
import { MAX_CART_QUANTITY } from '#lib/constants.ts'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import {
  $cart,
  addDiscountedProduct,
  addToCart,
  addWithDiscount,
  countPacksOfProduct,
  removeFromCart,
  removeOrderedItems,
  restoreToCart,
  setLines,
  updateQuantity
} from '#lib/stores/cart.ts'
import { updateLiveProducts } from '#lib/stores/catalog.ts'
import { $toasts, dismiss } from '#lib/stores/toasts.ts'
import { makeLine } from '../support/cards.ts'

const PAK: CartProduct = {
  _id: 'mysore-pak',
  name: 'Mysore Pak',
  price: 180,
  image: 'mysore-pak.jpg',
  packSize: { value: 250, unit: 'g', type: 'weight' }
}
const LADDU: CartProduct = {
  _id: 'boondi-laddu',
  name: 'Boondi Laddu',
  price: 99.5,
  image: 'boondi-laddu.jpg'
}
const DEAL_LINE = makeLine('mysore-pak', 1, { name: 'Mysore Pak', price: 144, discount: 20 })
const DRAWN = { dealId: 'diwali', discount: 15 }
const NO_INCREASE = 'You cannot add more quantity of a discounted product'

beforeEach(() => {
  fillCart()
  setStock({ stock: 'in' })
})
// nanostores would unmount the store one second later, when the document no longer exists.
afterAll(() => cleanStores($cart))

function setStock(facts: Pick<LiveProduct, 'stock' | 'left'>, price = PAK.price) {
  updateLiveProducts([{ id: PAK._id, price, ...facts }])
}

function fillCart(...lines: CartLine[]) {
  setLines(lines)
  for (const { id } of $toasts.get()) dismiss(id)
}

/** The discount and the number of packs of each line. */
function shownLines(): unknown[] {
  return $cart
    .get()
    .map(({ _id, discount, quantity: { value } }) => [_id, ...(discount ? [discount] : []), value])
}

function lastToast(): unknown {
  const { title, text } = $toasts.get().at(-1) ?? {}
  return [title, text]
}

describe('Adding to the cart', () => {
  test('adds a new product with quantity 1, then increases the quantity, with one toast', () => {
    addToCart(PAK)
    expect(shownLines()).toEqual([['mysore-pak', 1]])
    expect(lastToast()).toEqual(['Item added to cart', 'Mysore Pak has been added to your cart.'])
    addToCart(PAK)
    expect(shownLines()).toEqual([['mysore-pak', 2]])
    expect(lastToast()).toEqual(['Item quantity updated', 'Mysore Pak quantity has been updated.'])
    expect($toasts.get()).toHaveLength(1)
  })

  test.for([
    ['one pack more of each product', { stock: 'low', left: 2 }, 289.5, 'View cart (4)', 2],
    ['no sold-out product', { stock: 'out' }, 99.5, 'View cart (3)', 1],
    ['no pack over those left', { stock: 'low', left: 1 }, 99.5, 'View cart (3)', 1]
  ] as const)('of a box adds %s, at the prices of now', ([, facts, rupees, label, count]) => {
    fillCart(makeLine('mysore-pak', 1), makeLine('boondi-laddu', 1))
    setStock(facts, 190)
    const { added, total } = findBox([PAK, LADDU])
    expect([added.length, total]).toEqual([count, rupees * 100])
    addBoxToCart('Deepavali box', [PAK, LADDU])
    expect(shownLines()).toEqual([
      ['mysore-pak', count],
      ['boondi-laddu', 2]
    ])
    expect(lastToast()).toEqual([
      'Item added to cart',
      'Deepavali box has been added to your cart.'
    ])
    expect($toasts.get().at(-1)?.link).toEqual({ label, href: '/cart' })
  })

  test('stores the unit and type of the pack, by default piece and count', () => {
    addToCart(PAK)
    addToCart(LADDU)
    expect($cart.get().map(({ quantity }) => quantity)).toEqual([
      { value: 1, unit: 'g', type: 'weight' },
      { value: 1, unit: 'piece', type: 'count' }
    ])
  })
})

describe('Too many packs', () => {
  test.for([
    ['of those left', { stock: 'low', left: 3 }, 'Only 3 left, 3 in your cart.'],
    ['of a sold-out product', { stock: 'out' }, 'Sorry, this product has just sold out.'],
    [
      'of a line',
      { stock: 'in' },
      `You can order up to ${MAX_CART_QUANTITY} packs of a product. Please call us for more.`
    ]
  ] as const)('%s are refused with the reason', ([, facts, reason]) => {
    setStock(facts)
    addToCart(PAK, 'left' in facts ? facts.left : MAX_CART_QUANTITY)
    const before = shownLines()
    addToCart(PAK)
    updateQuantity(PAK, MAX_CART_QUANTITY + 1)
    expect(shownLines()).toEqual(before)
    expect(lastToast()).toEqual(['Can’t add more', reason])
    expect($toasts.get().at(-1)?.kind).toBe('destructive')
  })

  test('are counted over normal and discounted lines, and can still be reduced', () => {
    fillCart(DEAL_LINE, makeLine('mysore-pak', 9))
    setStock({ stock: 'low', left: 3 })
    updateQuantity(PAK, 8)
    expect(countPacksOfProduct($cart.get(), 'mysore-pak')).toBe(9)
    updateQuantity(PAK, 1)
    addToCart(PAK, 1)
    addToCart(PAK, 1)
    expect(shownLines()).toEqual([
      ['mysore-pak', 20, 1],
      ['mysore-pak', 2]
    ])
  })
})

describe('Changing a quantity', () => {
  test('changes only the normal line of a product, and shows a toast', () => {
    fillCart(DEAL_LINE)
    addToCart(PAK)
    updateQuantity(PAK, 4)
    expect(shownLines()).toEqual([
      ['mysore-pak', 20, 1],
      ['mysore-pak', 4]
    ])
    expect(lastToast()).toEqual(['Item quantity updated', 'Mysore Pak quantity has been updated.'])
  })

  test.for([0, -3, 1.5, NaN])('ignores a quantity of %d', count => {
    addToCart(PAK, count)
    updateQuantity(PAK, 2)
    expect(shownLines()).toEqual([])
    addToCart(PAK, 2)
    updateQuantity(PAK, count)
    expect(shownLines()).toEqual([['mysore-pak', 2]])
  })

  test(`fails for a discounted product with '${NO_INCREASE}'`, () => {
    fillCart(DEAL_LINE)
    updateQuantity(DEAL_LINE, 2)
    expect(shownLines()).toEqual([['mysore-pak', 20, 1]])
    expect(lastToast()).toEqual([NO_INCREASE, undefined])
  })
})

describe('Removing a line', () => {
  test('keeps the other line of the product, shows a toast and is not undone by an older line', () => {
    addDiscountedProduct(PAK, DRAWN)
    addToCart(PAK, 2)
    const removed = $cart.get()[1]
    removeFromCart(PAK)
    expect(shownLines()).toEqual([['mysore-pak', 15, 1]])
    expect(lastToast()).toEqual(['Item removed', 'The item has been removed from your cart.'])
    addToCart(PAK)
    if (removed) restoreToCart(removed, 0)
    expect(shownLines()).toEqual([
      ['mysore-pak', 15, 1],
      ['mysore-pak', 1]
    ])
  })
})

test('An order takes its packs from the cart, but no discounted pack that it does not have', () => {
  fillCart({ ...DEAL_LINE, dealId: 'diwali' }, makeLine('mysore-pak', 3))
  removeOrderedItems([{ product: 'mysore-pak', quantity: 2 }])
  expect(shownLines()).toEqual([
    ['mysore-pak', 20, 1],
    ['mysore-pak', 1]
  ])
})

describe('Adding a product with a drawn discount', () => {
  test("adds one pack at the reduced price, shows 'Added to cart!' and refuses a second one", () => {
    addDiscountedProduct(LADDU, DRAWN)
    // 15 % off ₹99.50 leaves ₹84.575, which is rounded half up.
    expect($cart.get()).toMatchObject([
      { _id: 'boondi-laddu', price: 84.58, discount: 15, dealId: 'diwali', quantity: { value: 1 } }
    ])
    expect(lastToast()).toEqual(['Added to cart!', 'Boondi Laddu has been added to your cart.'])
    addDiscountedProduct(LADDU, DRAWN)
    expect(shownLines()).toEqual([['boondi-laddu', 15, 1]])
    expect(lastToast()).toEqual([NO_INCREASE, undefined])
  })

  test('replaces a pack that was discounted in an earlier deal', () => {
    addDiscountedProduct(PAK, DRAWN)
    addDiscountedProduct(PAK, { dealId: 'pongal', discount: 5 })
    expect($cart.get()).toMatchObject([{ dealId: 'pongal', price: 171 }])
  })

  test.for([
    [1, [['mysore-pak', 15, 1]]],
    [
      3,
      [
        ['mysore-pak', 15, 1],
        ['mysore-pak', 2]
      ]
    ]
  ] as const)(
    'gives the discount to one of %d packs in the cart, also to the last in stock',
    ([count, lines]) => {
      fillCart(makeLine('mysore-pak', count, { lost: 'discount_ended' }))
      setStock({ stock: 'low', left: count })
      addWithDiscount(PAK, 1, DRAWN)
      expect(shownLines()).toEqual(lines)
      expect(JSON.stringify($cart.get())).not.toContain('lost')
      expect(lastToast()).toEqual([
        'Added to cart!',
        'The Mysore Pak in your cart now has your discount.'
      ])
    }
  )

  test('fails for a product that has sold out', () => {
    setStock({ stock: 'out' })
    addDiscountedProduct(PAK, DRAWN)
    expect(shownLines()).toEqual([])
  })

  test('adds further packs of the same order at the normal price', () => {
    addWithDiscount(PAK, 3, DRAWN)
    addWithDiscount(PAK, 1, DRAWN)
    expect($cart.get().map(({ price, quantity }) => [price, quantity.value])).toEqual([
      [153, 1],
      [180, 3]
    ])
    expect(decodeCart(JSON.stringify($cart.get()))).toEqual({ lines: $cart.get(), droppedCount: 0 })
  })
})

describe('Damaged stored cart', () => {
  const line = makeLine('mysore-pak', 2)
  const damagedLine = (changes: object) => JSON.stringify([{ ...line, ...changes }])

  test.for([
    '{"_id":',
    JSON.stringify([null, 7, 'x', []]),
    damagedLine({ quantity: { ...line.quantity, value: 1.5 } }),
    JSON.stringify([line]).replace('100', '1e999'),
    damagedLine({ price: -1 }),
    damagedLine({ discount: 'half' })
  ])('is treated as empty: %s', stored => {
    const { lines, droppedCount } = decodeCart(stored)
    expect(lines).toEqual([])
    expect(droppedCount).toBeGreaterThan(0)
  })
})
