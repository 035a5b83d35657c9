import { describe, expect, test } from 'vitest'
import type { KitchenDayOrder } from '#lib/contract/kitchen.ts'
import {
  listBookedDays,
  listStops,
  toCookList,
  changeClosedDates,
  toMapLink
} from '#lib/kitchen/day.ts'
import { findMissingOfMaker, findMissingOfProduct, unitPriceText } from '#lib/kitchen/labels.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { makeDayOrder, makeLabelProduct, SELLER } from '../support/orders.ts'

function line(
  name: string,
  category: string,
  quantity: number,
  value: number,
  unit: string
): KitchenDayOrder['lines'][number] {
  return {
    n: 0,
    product: { id: `${name}-${value}`, name, nameTamil: '' },
    category,
    packSize: { value, unit, type: '' },
    quantity,
    isPacked: false
  }
}

describe('What to cook', () => {
  test('is sorted by category and name, with the packs and kilograms of all orders', () => {
    const orders = [
      makeDayOrder({
        lines: [line('Murukku', 'savouries', 2, 250, 'g'), line('Mysore Pak', 'sweets', 1, 1, 'kg')]
      }),
      makeDayOrder({
        lines: [
          line('Mysore Pak', 'sweets', 3, 250, 'g'),
          line('Adhirasam', 'sweets', 2, 12, 'piece')
        ]
      }),
      makeDayOrder({
        lines: [line('Mysore Pak', 'sweets', 1, 250, 'g'), line('Payasam', 'new', 1, 500, 'ml')]
      })
    ]
    const categories = [
      { name: 'sweets', label: 'Sweets' },
      { name: 'savouries', label: 'Savouries' }
    ]
    const groups = toCookList(orders, categories)
    expect(
      groups.map(({ label, rows }) => [
        label,
        ...rows.map(row => `${row.name}: ${row.packs} = ${row.amount}`)
      ])
    ).toEqual([
      ['Sweets', 'Adhirasam: 2 × 12 pieces = 24 pieces', 'Mysore Pak: 4 × 250 g, 1 × 1 kg = 2 kg'],
      ['Savouries', 'Murukku: 2 × 250 g = 0.5 kg'],
      ['new', 'Payasam: 1 × 500 ml = 0.5 l']
    ])
    expect(groups[0]?.rows.map(({ count }) => count)).toEqual([2, 5])
  })

  test('leaves out orders that are packed or on their way', () => {
    const orders = (['pending', 'packed', 'delivered'] as const).map(status =>
      makeDayOrder({ status })
    )
    const [sweets] = toCookList(orders, [{ name: 'sweets', label: 'Sweets' }])
    expect(sweets?.rows.map(({ count }) => count)).toEqual([2])
  })
})

describe('The lists of parcels', () => {
  const address = makeDayOrder().shippingAddress
  const order = (
    id: string,
    city: string,
    pincode: string,
    deliveryMethod?: 'own' | 'courier' | 'pickup'
  ): KitchenDayOrder => ({
    ...makeDayOrder({ _id: id, shippingAddress: { ...address, city, pincode } }),
    ...(deliveryMethod && { deliveryMethod })
  })

  test('have the orders of one method that are still to go, by area and pincode; the shop brings those without a method', () => {
    const orders = [
      { ...order('e', 'Lalgudi', '621601'), status: 'delivered' as const },
      { ...order('f', 'Bengaluru', '560001', 'courier'), status: 'shipped' as const },
      order('a', 'Tiruchirappalli', '620018', 'own'),
      order('b', 'Lalgudi', '621601'),
      order('c', 'tiruchirappalli ', '620002', 'own'),
      order('d', 'Bengaluru', '560001', 'courier')
    ]
    const ids = (method: 'own' | 'courier' | 'pickup') =>
      listStops(orders, method).map(({ _id }) => _id)
    expect([ids('own'), ids('courier'), ids('pickup')]).toEqual([['b', 'c', 'a'], ['d'], []])
  })

  test('link to the address on the map, without the landmark', () => {
    const link = new URL(toMapLink(address))
    expect(link.origin).toBe('https://www.google.com')
    expect(link.searchParams.get('query')).toContain('4 Rockfort Road, Tiruchirappalli 620002')
    expect(link.search).not.toContain('temple')
  })
})

describe('A label', () => {
  test('needs no Tamil name; an adviser would add the other facts that are missing', () => {
    expect(findMissingOfProduct(makeLabelProduct({ nameTamil: '' }))).toEqual([])
    const missing = { allergens: ' ', nutrition: '', shelfLifeDays: null }
    const names = ['Allergens', 'Nutrition', 'Shelf life in days']
    expect(findMissingOfProduct(makeLabelProduct(missing))).toEqual(names)
    expect(findMissingOfMaker(SELLER)).toEqual({ shop: [], legal: [] })
    const { shop, legal } = findMissingOfMaker({ ...EMPTY_SETTINGS.shop, fssai: '' })
    expect([shop.length, legal]).toEqual([4, ['FSSAI number']])
  })

  test.for([
    [180, 250, 'g', '₹0.72 per g (₹72.00 / 100 g)'],
    [720, 1, 'kg', '₹720.00 per kg'],
    [900, 1500, 'g', '₹600.00 per kg'],
    [150, 500, 'ml', '₹0.30 per ml (₹30.00 / 100 ml)'],
    [100, 12, 'piece', '₹8.33 per piece']
  ] as const)('shows the unit price of ₹%d for %d %s as %s', ([mrp, value, unit, text]) => {
    expect(unitPriceText({ mrp, quantity: { value, unit, type: '' } })).toBe(text)
  })
})

describe('The bookings of a month', () => {
  const calendar = {
    ...EMPTY_SETTINGS.calendar,
    ordersPerDay: 20,
    closedWeekdays: [0],
    closedDates: ['2028-02-28']
  }
  const rules = { calendar, closed: { from: '2028-02-10', until: '2028-02-11', message: '' } }
  const booked = [
    { day: '2028-02-24', orders: 20, units: 60 },
    { day: '2028-02-25', orders: 18, units: 50 }
  ]
  const days = listBookedDays('2028-02', booked, rules, Date.parse('2028-02-08T18:30:00Z'))
  const stateOf = (day: string) => days.find(each => each.day === day)?.state

  test('tell past, full, nearly full and closed days, and those for which it is too late to order', () => {
    const expected = {
      ...{ '2028-02-08': 'past', '2028-02-09': 'late', '2028-02-12': 'open' },
      ...{ '2028-02-10': 'holiday', '2028-02-13': 'holiday', '2028-02-28': 'closed' },
      ...{ '2028-02-24': 'full', '2028-02-25': 'few' }
    }
    for (const [day, state] of Object.entries(expected))
      expect([day, stateOf(day)]).toEqual([day, state])
  })

  test('close and open a day, and forget days that are over', () => {
    const dates = ['2028-01-05', '2028-03-01']
    const change = (day: string, isClosed: boolean) =>
      changeClosedDates(dates, { day, isClosed }, '2028-02-09')
    expect(change('2028-02-20', true)).toEqual(['2028-02-20', '2028-03-01'])
    expect(change('2028-03-01', false)).toEqual([])
    expect(change('2028-03-01', true)).toEqual(['2028-03-01'])
  })
})
