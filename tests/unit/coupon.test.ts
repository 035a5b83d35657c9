import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Coupon,
  priceCart,
  type PricedCart,
  type PricedLine,
  type PricedProduct
} from '#lib/cart/pricing.ts'
import { toPaise } from '#lib/money.ts'

const TERMS = { minimum: toPaise(0), mayBeFree: false }

const product = (price: number, salePrice?: number): PricedProduct => ({
  price: toPaise(price),
  stock: 100,
  ...(salePrice !== undefined && { salePrice: toPaise(salePrice) })
})

const tenPercent = (products: string[]): Coupon => ({ ...TERMS, percent: 10, products })
const rupeesOff = (rupees: number, products: string[]): Coupon => ({
  ...TERMS,
  amount: toPaise(rupees * 100),
  products
})

/** Prices one pack of each product. */
function price(products: Record<string, PricedProduct>, coupon: Coupon, quantity = 1): PricedCart {
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

describe('Coupon for every cart', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const anyPrice = fc
    .oneof(fc.integer({ min: 100, max: 50_000 }), fc.integer({ min: 100, max: 100_000_000 }))
    .map(toPaise)
  const catalogue = fc
    .array(
      fc.record({
        price: anyPrice,
        stock: fc.nat(120),
        salePrice: fc.option(anyPrice, { nil: undefined })
      }),
      {
        minLength: ids.length,
        maxLength: ids.length
      }
    )
    .map(rows => new Map(rows.map((row, index) => [ids[index] ?? '', row])))
  const wanted = fc.array(
    fc.record({
      product: fc.constantFrom(...ids, 'gone'),
      quantity: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 99 })),
      dealId: fc.option(fc.constantFrom(...ids), { nil: undefined })
    }),
    { maxLength: 10 }
  )
  const draws = fc
    .array(
      fc.record({ product: fc.constantFrom(...ids), percent: fc.integer({ min: 1, max: 100 }) })
    )
    .map(rows => new Map(rows.map(row => [row.product, { ...row, state: 'usable' as const }])))
  const terms = {
    minimum: fc.oneof(fc.constant(0), fc.nat(100_000)).map(toPaise),
    products: fc.subarray(ids),
    mayBeFree: fc.boolean()
  }
  const coupon = fc.oneof(
    fc.record({ ...terms, percent: fc.integer({ min: 1, max: 100 }) }),
    fc.record({
      ...terms,
      amount: fc
        .oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 10_000_000 }))
        .map(toPaise)
    })
  )

  test('no line costs more than without it, and all amounts add up', () => {
    fc.assert(
      fc.property(wanted, catalogue, draws, coupon, (lines, products, drawn, terms) => {
        const without = priceCart(lines, products, drawn)
        const priced = priceCart(lines, products, drawn, terms)
        // One assertion per cart, because one per line takes ten times as long.
        expect(priced.lines.every((line, index) => isFair(line, without.lines[index], terms))).toBe(
          true
        )
        const discounts = sum(discountsOf(priced))
        expect([priced.total, priced.subtotal, priced.subtotal - discounts]).toEqual([
          sum(priced.lines.map(({ total }) => total)),
          sum(priced.lines.map(line => line.price * line.quantity)),
          priced.total
        ])
        if (priced.coupon && 'discount' in priced.coupon)
          expect(priced.coupon.discount).toBe(discounts)
        else expect(priced.lines).toEqual(without.lines)
        if ('amount' in terms) expect(discounts).toBeLessThanOrEqual(terms.amount)
      }),
      { numRuns: 500 }
    )
  })
})

function isFair(
  line: PricedLine,
  without: PricedLine | undefined,
  { products, mayBeFree }: Coupon
): boolean {
  const { listPrice, price, quantity, couponDiscount = 0, total } = line
  if (!without || total !== price * quantity - couponDiscount) return false
  if (line.reduction !== 'coupon') return couponDiscount === 0 && total === without.total
  const minimum = mayBeFree ? 0 : quantity * 100
  return (
    price === listPrice &&
    products.includes(line.product) &&
    total >= minimum &&
    total < without.total
  )
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
