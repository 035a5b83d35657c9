import { describe, expect, test } from 'vitest'
import { findNeverOpen, findUnused, previewDelivery } from '#lib/admin/delivery-preview.ts'
import { NEVER_CLOSED } from '#lib/delivery/calendar.ts'
import type { Settings } from '#lib/contract/settings.ts'
import type { Zone } from '#lib/delivery/terms.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'

const NEAR: Zone = {
  name: 'Near',
  pincodes: '620001-620026',
  method: 'own',
  fee: 0,
  freeAbove: 0,
  transitMin: 0,
  transitMax: 0,
  active: true
}
const SOUTH: Zone = {
  ...NEAR,
  name: 'South',
  pincodes: '6',
  method: 'courier',
  fee: 90,
  freeAbove: 500,
  transitMax: 4
}
const REST: Zone = { ...SOUTH, name: 'Rest', pincodes: '' }
/** Tuesday, 24 November, 3 pm in India. */
const NOW = Date.parse('2026-11-24T15:00:00+05:30')

function makeRules(
  delivery: Partial<Settings['delivery']>,
  calendar: Partial<Settings['calendar']> = {}
) {
  return {
    delivery: { ...EMPTY_SETTINGS.delivery, ...delivery },
    calendar: { ...EMPTY_SETTINGS.calendar, ...calendar },
    closed: NEVER_CLOSED
  }
}

function preview(pincode: string, ...rules: Parameters<typeof makeRules>) {
  return previewDelivery(makeRules(...rules), pincode, NOW)[0]
}

describe('Preview of delivery rules', () => {
  test('says how, for how much and when an order arrives', () => {
    const zones = [NEAR, SOUTH]
    expect(preview('620018', { zones }, { leadDays: 3 })).toBe(
      '620018, Tue, 24 Nov, 3:00 pm → own delivery, Near, ₹0, first day Fri 27 Nov'
    )
    expect(preview('600001', { zones })).toBe(
      '600001, Tue, 24 Nov, 3:00 pm → courier, South, ₹90 (free from ₹500), first day Mon 30 Nov, leaves the kitchen on Thu 26 Nov'
    )
    expect(preview('781001', { zones, elsewhere: 'none' })).toBe(
      '781001, Tue, 24 Nov, 3:00 pm → not delivered'
    )
  })

  test('always says what applies everywhere else', () => {
    const elsewhere = (delivery: Partial<Settings['delivery']>) =>
      previewDelivery(makeRules(delivery), '620018', NOW)[1]
    const zones = [NEAR]
    expect(elsewhere({ zones, elsewhere: 'none' })).toBe('Everywhere else → not delivered')
    expect(elsewhere({ zones, elsewhere: 'courier', elsewhereFee: 120, elsewhereDays: 5 })).toBe(
      'Everywhere else → courier, ₹120, first day Tue 1 Dec, leaves the kitchen on Thu 26 Nov'
    )
    expect(elsewhere({ zones })).toBe(
      'Everywhere else → courier, ₹0, first day Thu 26 Nov. Please choose this above.'
    )
  })

  test('names what is typed wrong, and leaves out zones that are not readable yet', () => {
    expect(preview('62001', {})).toBe('Enter a pincode of 6 digits.')
    expect(preview('620018', {}, { leadDays: NaN })).toMatch(
      /→ enter all numbers of the form first$/
    )
    const unreadable = [{ ...NEAR, pincodes: '620001-' }, SOUTH]
    expect(preview('620018', { zones: unreadable })).toContain('South')
  })
})

test('A place that is never used is named, with the one above it', () => {
  expect(findUnused([NEAR, SOUTH, REST])).toEqual([])
  expect(findUnused([SOUTH, NEAR])).toEqual([
    '“Near” is never used, because “South” above it has all its pincodes.'
  ])
  expect(findUnused([{ ...SOUTH, active: false }, NEAR])).toEqual([])
  expect(findUnused([REST, { ...NEAR, pincodes: '9' }])).toEqual([])
})

describe('Zones and products without an open day', () => {
  const box = { name: 'Seer Box', category: 'seer', extraLeadDays: 40 }
  const find = (...rules: Parameters<typeof makeRules>) =>
    findNeverOpen(makeRules(...rules), [box], NOW)

  test('are named, if preparation and way take longer than orders are taken ahead', () => {
    expect(find({ zones: [NEAR, SOUTH] }, { daysAhead: 5, leadDays: 2 })).toEqual([
      '“South” has no open day. Allow orders more days ahead, or lower the days that it takes.',
      '“Seer Box” has no open day. Allow orders more days ahead, or lower the days that it takes.'
    ])
  })
})
