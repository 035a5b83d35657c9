import { describe, expect, test } from 'vitest'
import { type Coupon, priceCart, type PricedCart, type PricedProduct } from '#lib/cart/pricing.ts'
import { toPaise } from '#lib/money.ts'

const TERMS = { minimum: toPaise(0), mayBeFree: false }

const product = (price: number, salePrice?: number) => ({
  price: toPaise(price),
  stock: 100,
  ...(salePrice !== undefined && { salePrice: toPaise(salePrice) })
})

const tenPercent = (products: string[]) => ({ ...TERMS, percent: 10, products })
const rupeesOff = (rupees: number, products: string[]) => ({
  ...TERMS,
  amount: toPaise(rupees * 100),
  products
})

/** Prices one pack of each product. */
function price(products: Record<string, PricedProduct>, coupon: Coupon, quantity = 1) {
  const wanted = Object.keys(products).map(id => ({ product: id, quantity }))
  return priceCart(wanted, new Map(Object.entries(products)), new Map(), coupon)
}

const discountsOf = ({ lines }: PricedCart) =>
  lines.map(({ couponDiscount }) => couponDiscount ?? 0)

describe('Percent coupon', () => {
  test('is rounded per line and leaves the price of a pack unchanged', () => {
    const cart = price(
      { pak: product(18_005), laddu: product(9_950) },
      tenPercent(['pak', 'laddu'])
    )
    expect(discountsOf(cart)).toEqual([1_800, 995])
    expect(cart.lines).toMatchObject([
      { price: 18_005, total: 16_205 },
      { price: 9_950, total: 8_955 }
    ])
    expect(cart).toMatchObject({ subtotal: 27_955, coupon: { discount: 2_795 }, total: 25_160 })
  })

  test('does not apply to a line with a lower sale price or of another product', () => {
    const cart = price(
      { pak: product(18_000, 15_000), laddu: product(9_000, 8_500), podi: product(5_000) },
      tenPercent(['pak', 'laddu'])
    )
    expect(cart.lines).toMatchObject([
      { price: 15_000, reduction: 'sale', total: 15_000 },
      { price: 9_000, reduction: 'coupon', couponDiscount: 900, total: 8_100 },
      { price: 5_000, total: 5_000 }
    ])
  })

  test('leaves a drawn discount unused if the coupon is lower', () => {
    const draws = new Map([['deal', { product: 'pak', percent: 5, state: 'usable' as const }]])
    const wanted = [{ product: 'pak', quantity: 1, dealId: 'deal' }]
    const { lines } = priceCart(
      wanted,
      new Map([['pak', product(10_000)]]),
      draws,
      tenPercent(['pak'])
    )
    expect(lines).toMatchObject([
      { reduction: 'coupon', discount: 5, couponDiscount: 1_000, total: 9_000 }
    ])
  })

  test('leaves ₹1 per pack, except if it may make products free', () => {
    const coupon = { ...TERMS, percent: 100, products: ['pak'] }
    expect(price({ pak: product(5_000) }, coupon, 3).total).toBe(300)
    expect(price({ pak: product(5_000) }, { ...coupon, mayBeFree: true }, 3).total).toBe(0)
  })
})

describe('Amount coupon', () => {
  test('is split by value, and the largest remainders get the last paise', () => {
    const free = { ...rupeesOff(1, ['a', 'b', 'c']), mayBeFree: true }
    const cart = price({ a: product(10_000), b: product(10_000), c: product(10_000) }, free)
    expect(discountsOf(cart)).toEqual([34, 33, 33])
    expect(
      discountsOf(price({ a: product(10_000), b: product(20_000), c: product(30_100) }, free))
    ).toEqual([17, 33, 50])
  })

  test('is split by value although ₹1 of each pack must stay', () => {
    const coupon = rupeesOff(100, ['pak', 'podi'])
    expect(discountsOf(price({ pak: product(36_000), podi: product(8_000) }, coupon))).toEqual([
      8_182, 1_818
    ])
    const packs = price(
      { pak: product(20_000), podi: product(150) },
      rupeesOff(150, ['pak', 'podi']),
      2
    )
    expect(packs.lines.every(({ total }) => total >= 200)).toBe(true)
    expect(packs.coupon).toEqual({ discount: 15_000 })
  })

  test('takes off at most what the lines cost', () => {
    const coupon = rupeesOff(1_000, ['pak'])
    expect(price({ pak: product(18_000), laddu: product(9_000) }, coupon).total).toBe(100 + 9_000)
  })

  test('keeps one of two reduced lines if the whole amount makes it cheaper', () => {
    const cart = price(
      { pak: product(10_000, 6_000), laddu: product(10_000, 6_000) },
      rupeesOff(50, ['pak', 'laddu'])
    )
    expect(cart.total).toBe(6_000 + 5_000)
  })
})

describe('Coupon that does not apply', () => {
  test('needs the minimum before the coupon', () => {
    const coupon = { ...tenPercent(['pak']), minimum: toPaise(20_000) }
    expect(price({ pak: product(19_999) }, coupon)).toMatchObject({
      coupon: { problem: 'minimum' },
      total: 19_999
    })
    expect(price({ pak: product(20_000) }, coupon)).toMatchObject({ total: 18_000 })
  })

  test('says that it is for other products', () => {
    expect(price({ pak: product(19_999) }, tenPercent(['laddu'])).coupon).toEqual({
      problem: 'no_items'
    })
  })

  test('says that all prices are as low without it', () => {
    expect(price({ pak: product(10_000, 9_000) }, tenPercent(['pak'])).coupon).toEqual({
      problem: 'no_gain'
    })
  })
})
