import { describe, expect, test } from 'vitest'
import type { Coupon } from '#lib/cart/pricing.ts'
import { toCartView, type CartDelivery } from '#lib/cart/view.ts'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import type { CartLine } from '#lib/cart/line.ts'
import { toWhatsAppLink } from '#lib/contract/formats.ts'
import { toPaise } from '#lib/money.ts'
import { aboutCartText } from '#lib/order.ts'
import { inLanguage } from '#server/platform/language.ts'
import { makeLine } from '../support/cards.ts'

const live = (id: string, price: number, rest: Partial<LiveProduct> = {}): LiveProduct => ({
  id,
  price,
  stock: 'in',
  ...rest
})

function view(
  lines: readonly CartLine[],
  liveProducts: readonly LiveProduct[] = [],
  gone: readonly string[] = []
) {
  return toCartView(
    lines,
    new Map(liveProducts.map(product => [product.id, product])),
    new Set(gone)
  )
}

test('Cart view without live prices shows the price at which each line was added', () => {
  const { lines, total } = view([
    makeLine('pak', 2, { price: 180 }),
    makeLine('halwa', 1, { price: 99.5 })
  ])
  expect(lines.map(({ price, total, changes }) => [price, total, changes])).toEqual([
    [18_000, 36_000, []],
    [9950, 9950, []]
  ])
  expect(total).toBe(45_950)
})

describe('Cart view with live prices', () => {
  test.for<[string, number, LiveProduct, string[]]>([
    ['too few packs', 4, live('pak', 100, { stock: 'low', left: 3 }), ['Only 3 left']],
    ['packs enough', 3, live('pak', 100, { stock: 'low', left: 3 }), []],
    ['no packs', 1, live('pak', 100, { stock: 'out' }), ['Out of stock']],
    [
      'another price and too few packs',
      4,
      live('pak', 110, { stock: 'low', left: 1 }),
      ['Price is now ₹110.00', 'Only 1 left']
    ]
  ])('says so if there are %s', ([, count, product, changes]) => {
    const [line] = view([makeLine('pak', count)], [product]).lines
    expect([line?.changes, line?.available]).toEqual([
      changes,
      changes.length === 0 ? undefined : (product.left ?? 0)
    ])
  })

  test('keeps the discounted price of a line, beside as many other packs as an order may have', () => {
    const discounted = makeLine('pak', 1, { price: 144, discount: 20 })
    const { lines } = view([discounted, makeLine('pak', 99, { price: 180 })], [live('pak', 180)])
    expect(lines).toMatchObject([
      { price: 14_400, changes: [] },
      { price: 18_000, changes: [] }
    ])
  })
})

describe('Cart view with delivery', () => {
  const delivery = { usualFee: 60, freeAbove: 500, problems: [], warnings: [] }
  const viewWith = (packs: number, changes: Partial<CartDelivery> = {}, coupon?: Coupon) =>
    toCartView([makeLine('pak', packs)], new Map([['pak', live('pak', 180)]]), new Set(), coupon, {
      ...delivery,
      ...changes
    })

  test.for([
    ['below the amount', 2, {}, 6000, 42_000],
    ['from the amount on', 3, {}, 0, 54_000],
    ['at exactly the amount', 2, { freeAbove: 360 }, 0, 36_000],
    ['always', 3, { freeAbove: null }, 6000, 60_000],
    ['never', 2, { usualFee: 0, freeAbove: null }, undefined, 36_000]
  ] as const)('adds the fee %s', ([, packs, changes, fee, total]) => {
    expect(viewWith(packs, changes)).toMatchObject({
      goods: packs * 18_000,
      deliveryFee: fee,
      total
    })
  })

  const terms = { minimum: toPaise(0), products: ['pak'], mayBeFree: true }

  test('counts what the goods cost after a coupon', () => {
    expect(viewWith(3, {}, { ...terms, amount: toPaise(10_000) })).toMatchObject({
      goods: 44_000,
      deliveryFee: 6000,
      missingForFree: 6000,
      total: 50_000
    })
  })

  test.for([
    ['the rest', 2, {}, undefined, 14_000],
    ['nothing if it is free by now', 3, {}, undefined, 0],
    ['nothing if it is never free', 2, { freeAbove: null }, undefined, undefined],
    ['nothing if it always is', 2, { usualFee: 0, freeAbove: null }, undefined, undefined],
    ['nothing if all goods are free', 2, {}, { ...terms, percent: 100 }, undefined]
  ] as const)('says as missing for free delivery %s', ([, packs, changes, coupon, missing]) => {
    expect(viewWith(packs, changes, coupon).missingForFree).toBe(missing)
  })

  test('marks lines, of which only those that can’t go there block the order', () => {
    const note = [{ product: 'pak', text: 'Best within 3 days.' }]
    const warned = viewWith(1, { warnings: note })
    expect([warned.canOrder, warned.lines[0]?.deliveryWarning]).toEqual([
      true,
      'Best within 3 days.'
    ])
    const blocked = viewWith(1, { problems: note, warnings: note })
    expect([blocked.canOrder, blocked.lines[0]?.deliveryProblem]).toEqual([
      false,
      'Best within 3 days.'
    ])
    expect(blocked.lines[0]).not.toHaveProperty('deliveryWarning')
  })
})

describe('The question about a cart', () => {
  const packSize = { value: 250, unit: 'g', type: 'weight' }

  test('names packs and sizes', () => {
    const lines = [
      makeLine('pak', 2, { name: 'Mysore Pak', packSize }),
      makeLine('x', 1, { packSize: { value: 6, unit: 'piece', type: 'count' } })
    ]
    expect(aboutCartText(lines).split('\n').slice(1)).toEqual([
      '2 × Mysore Pak (250 g)',
      '1 × x (6 pieces)'
    ])
  })

  test.for(['en', 'ta'] as const)('is cut where its link would be too long (%s)', code => {
    const lines = Array.from({ length: 50 }, (_, id) =>
      makeLine(`${id}`, 2, { name: `மைசூர் பாக் ${id}`, packSize })
    )
    const text = inLanguage(code, () => aboutCartText(lines))
    const shown = text.split('\n').slice(1, -1)
    expect(shown.length).toBeGreaterThan(5)
    expect(shown).toEqual(lines.slice(0, shown.length).map(({ name }) => `2 × ${name} (250 g)`))
    expect(text).toContain(` ${50 - shown.length}${code === 'en' ? ' more' : ''}`)
    expect(toWhatsAppLink('+91 98765 43210', text).length).toBeLessThan(2000)
  })
})
