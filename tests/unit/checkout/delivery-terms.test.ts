import { describe, expect, test } from 'vitest'
import type { Product } from '#lib/contract/catalog.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { NEVER_CLOSED } from '#lib/delivery/calendar.ts'
import {
  findTerms,
  toDayState,
  type DeliveryOrder,
  type ProductFacts,
  findZone,
  type Zone
} from '#lib/delivery/terms.ts'
import { parsePincodes } from '#lib/contract/formats.ts'
import { fromRupees } from '#lib/money.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { chooseSuggestions } from '#server/delivery/offers.ts'

const OWN: Zone = {
  ...{ name: 'Tiruchirappalli', pincodes: '620001-620026', method: 'own', active: true },
  ...{ fee: 40, freeAbove: 500, transitMin: 0, transitMax: 0 }
}
const COURIER: Zone = {
  ...OWN,
  ...{ name: 'South', pincodes: '6, 56', method: 'courier', fee: 90, transitMax: 4 }
}
const LADDU: ProductFacts = {
  ...{ id: 'laddu', name: 'Laddu', category: 'sweets', kitchenUnits: 2, extraLeadDays: 0 },
  ...{ localOnly: false, shelfLifeDays: null }
}
/** A Tuesday. */
const NOW = Date.parse('2026-11-24T12:00:00+05:30')

interface Case extends Partial<Pick<DeliveryOrder, 'to'>> {
  delivery?: Partial<Settings['delivery']>
  calendar?: Partial<Settings['calendar']>
  product?: Partial<ProductFacts>
  goods?: number
}

function terms({ delivery, calendar, product, goods = 100, to = { pincode: '620018' } }: Case) {
  const rules = {
    delivery: { ...EMPTY_SETTINGS.delivery, ...delivery },
    calendar: { ...EMPTY_SETTINGS.calendar, ...calendar },
    closed: NEVER_CLOSED
  }
  const items = [{ ...LADDU, ...product, quantity: 3 }]
  return findTerms(rules, { items, goods: fromRupees(goods), to, now: NOW })
}

const zones = [OWN, COURIER]
const chennai = { pincode: '600001' }
const assam = { pincode: '781001' }

describe('Terms of delivery', () => {
  test('without rules are free everywhere, from the day after tomorrow', () => {
    const free = { method: 'own', zone: '', fee: 0, kitchenUnits: 6 }
    expect(terms({ to: assam })).toMatchObject(free)
    const first = { date: '2026-11-26', kitchenDay: '2026-11-26', isOpen: true }
    expect(terms({})?.days[0]).toEqual(first)
    expect(terms({ to: 'pickup' })).toBeUndefined()
  })

  test('are those of the first active zone with the pincode', () => {
    const near = { method: 'own', zone: 'Tiruchirappalli', fee: 4000 }
    expect(terms({ delivery: { zones } })).toMatchObject(near)
    expect(terms({ delivery: { zones: [{ ...OWN, active: false }, COURIER] } })?.zone).toBe('South')
    expect(terms({ delivery: { zones: [COURIER, OWN] } })?.zone).toBe('South')
  })

  test('outside of all zones are those that the owner has chosen', () => {
    const to = assam
    const free = { method: 'courier', zone: '', fee: 0 }
    expect(terms({ delivery: { zones }, to })).toMatchObject(free)
    expect(terms({ delivery: { zones, elsewhere: 'none' }, to })).toBeUndefined()
    const courier = { elsewhere: 'courier', elsewhereFee: 120, elsewhereDays: 5 } as const
    const far = terms({ delivery: { zones, ...courier }, to, product: { shelfLifeDays: 5 } })
    expect(far).toMatchObject({ method: 'courier', zone: '', fee: 12_000, freeAbove: null })
    expect([far?.days[0]?.date, far?.problems.length]).toEqual(['2026-12-01', 1])
  })

  test.for([
    [499.99, 500, 4000],
    [500, 500, 0],
    [10_000, 0, 4000]
  ] as const)('goods for ₹%d pay, if free from ₹%d, a fee of %d paise', ([goods, above, fee]) => {
    const delivery = { zones: [{ ...OWN, freeAbove: above }] }
    const freeAbove = above === 0 ? null : 50_000
    expect(terms({ delivery, goods })).toMatchObject({ fee, usualFee: 4000, freeAbove })
  })

  test('of pickup have no fee and no transit', () => {
    const delivery = { zones, pickup: true }
    const pickup = terms({ delivery, to: 'pickup', product: { localOnly: true } })
    expect(pickup).toMatchObject({ method: 'pickup', zone: '', fee: 0, problems: [] })
    expect(pickup?.days[0]?.date).toBe('2026-11-26')
  })

  test('consider extra lead days and categories that can be ordered long ahead', () => {
    const calendar = { longCategories: ['sweets'], longDaysAhead: 120 }
    const days = terms({ calendar, product: { extraLeadDays: 3 } })?.days
    expect([days?.[0]?.date, days?.at(-1)?.date]).toEqual(['2026-11-29', '2027-03-24'])
  })
})

describe('Products on their way', () => {
  const texts = (product: Partial<ProductFacts>, to = chennai) => {
    const found = terms({ delivery: { zones }, product, to })
    return [found?.problems, found?.warnings].map(list => list?.map(({ text }) => text))
  }

  test('for local delivery only are refused for a courier', () => {
    const text = 'This does not travel well by courier, so we deliver it only near our kitchen.'
    expect(texts({ localOnly: true })).toEqual([[text], []])
    expect(texts({ localOnly: true }, { pincode: '620018' })).toEqual([[], []])
  })

  test.for([
    [3, ['Best within 3 days, but the courier takes up to 4 days.'], []],
    [4, ['Best within 4 days, but the courier takes up to 4 days.'], []],
    [5, [], ['Best within 5 days. It may arrive with only 1 day left.']],
    // 2 of 6 days are more than 30 %.
    [6, [], []]
  ] as const)(
    'with a shelf life of %d days arrive after four days',
    ([shelfLifeDays, ...found]) => {
      expect(texts({ shelfLifeDays })).toEqual(found)
    }
  )
})

describe('State of a day', () => {
  const day = { date: '2026-11-26', kitchenDay: '2026-11-26', isOpen: true }
  const state = (
    orders: number,
    units: number,
    capacity: [orders: number, units: number],
    needed = 1,
    isOpen = true
  ) =>
    toDayState(
      { ...day, isOpen },
      { orders, units },
      { ordersPerDay: capacity[0], unitsPerDay: capacity[1] },
      needed
    )

  test('is open without a limit and closed if the kitchen does not work', () => {
    expect(state(10_000, 10_000, [0, 0])).toBe('open')
    expect(state(0, 0, [0, 0], 1, false)).toBe('closed')
  })

  test.for([
    [36, 'open'],
    [37, 'few'],
    [39, 'few'],
    [40, 'full'],
    [41, 'full']
  ] as const)('with 40 orders a day is at %d orders: %s', ([orders, expected]) => {
    expect(state(orders, 0, [40, 0])).toBe(expected)
  })

  test('is full for an order that needs more kitchen units than are left', () => {
    expect(state(0, 70, [0, 100], 30)).toBe('open')
    expect(state(0, 70, [0, 100], 31)).toBe('full')
    expect(state(0, 80, [0, 100], 1)).toBe('few')
  })
})

describe('Pincodes of a zone', () => {
  const covers = (pincodes: string, pincode: string) =>
    findZone([{ ...OWN, pincodes }], pincode) !== undefined

  test('are pincodes, first digits and ranges', () => {
    const text = '620 001 to 620 026, 6210 625;600028'
    const inside = ['620001', '620026', '621099', '625999', '600028']
    const outside = ['620027', '621100', '626001', '600027', '620000']
    expect(inside.filter(pincode => !covers(text, pincode))).toEqual([])
    expect(outside.filter(pincode => covers(text, pincode))).toEqual([])
  })

  test('are all pincodes but those of the army if none is given', () =>
    expect(['899999', '900056'].map(pincode => covers(' ', pincode))).toEqual([true, false]))
  test.for(['62001x', '620026-620001', '0123', '6200011'])('are not readable in %s', text => {
    expect(parsePincodes(text)).toBeUndefined()
  })
})

test.for([
  ['the cheapest that reach it', 140, ['b', 'c', 'd']],
  ['also one of exactly this price', 150, ['b', 'c', 'd']],
  ['the only one that reaches it, then the dearest', 350, ['d', 'c-large', 'b']],
  ['the dearest if none reaches it', 1000, ['d', 'c-large', 'b']],
  ['all that there are', 140, ['b', 'a'], ['a', 'b']]
] as const)('Suggested for free delivery are %s', ([, missing, expected, ids]) => {
  const prices = { a: 60, b: 150, c: 200, 'c-large': 210, d: 400, e: 50 }
  const products = Object.entries(prices).flatMap(([id, price]) =>
    !ids || ids.some(each => each === id)
      ? ({ id, price, ...(id.startsWith('c') && { family: { id: 'c', position: 0 } }) } as Product)
      : []
  )
  const suggested = chooseSuggestions(products, fromRupees(missing))
  expect(suggested.map(({ id }) => id)).toEqual(expected)
})
