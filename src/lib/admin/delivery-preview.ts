import { PINCODE } from '../constants.ts'
import type { Product } from '../contract/catalog.ts'
import { listDays } from '../delivery/calendar.ts'
import { findTerms, type DeliveryRules, type DeliveryTerms } from '../delivery/terms.ts'
import {
  findZone,
  isElsewhereMissing,
  OTHER_PINCODE,
  toTransit,
  type Zone
} from '../delivery/zones.ts'
import { parsePincodes } from '../contract/formats.ts'
import { formatPaise, toPaise, type Paise } from '../money.ts'
import { METHOD_LABELS } from '../order.ts'
import { formatDayAndTime, formatShortDay } from '../time.ts'

const texts = {
  pincodeInvalid: 'Enter a pincode of 6 digits.',
  numberInvalid: 'enter all numbers of the form first',
  notServed: 'not delivered',
  elsewhere: 'Everywhere else',
  elsewhereMissing: 'Please choose this below.',
  noDay: 'no open day'
}

/** For example '620018, Tue 24 Nov, 3:00 pm → own delivery, ₹0, first day Thu 26 Nov'. */
export function previewDelivery(rules: DeliveryRules, pincode: string, now: number): string[] {
  const { zones } = rules.delivery
  const answer = (to: string): string => {
    const isReady = findZone(zones, to)
      ? hasAllNumbers(rules)
      : hasAllNumbers(rules) && hasElsewhereNumbers(rules)
    if (!isReady) return texts.numberInvalid
    return describeTerms(
      findTerms(rules, { items: [], goods: toPaise(0), to: { pincode: to }, now })
    )
  }
  const time = formatDayAndTime(new Date(now).toISOString())
  const choice = isElsewhereMissing(rules.delivery) ? `. ${texts.elsewhereMissing}` : ''
  return [
    PINCODE.test(pincode) ? `${pincode}, ${time} → ${answer(pincode)}` : texts.pincodeInvalid,
    `${texts.elsewhere} → ${answer(OTHER_PINCODE)}${choice}`
  ]
}

function describeTerms(terms: DeliveryTerms | undefined): string {
  if (!terms) return texts.notServed
  const { method, zone, usualFee, freeAbove, days } = terms
  const first = days.find(({ isOpen }) => isOpen)
  return [
    METHOD_LABELS[method].toLowerCase(),
    ...(zone === '' ? [] : [`zone ${zone}`]),
    toFeeText(usualFee, freeAbove),
    first ? `first day ${formatShortDay(first.date)}` : texts.noDay,
    ...(first && first.kitchenDay !== first.date
      ? [`leaves the kitchen on ${formatShortDay(first.kitchenDay)}`]
      : [])
  ].join(', ')
}

function toFeeText(fee: Paise, freeAbove: Paise | null): string {
  const short = (amount: Paise): string => formatPaise(amount).replace(/\.00$/, '')
  return freeAbove === null ? short(fee) : `${short(fee)} (free from ${short(freeAbove)})`
}

/** More days would freeze the page. The server accepts fewer. */
const MAX_DAYS = 365

function hasAllNumbers({
  calendar: { leadDays, daysAhead, longDaysAhead },
  delivery
}: DeliveryRules): boolean {
  const isShort = (days: number): boolean => Number.isFinite(days) && days <= MAX_DAYS
  const numbers = delivery.zones.flatMap(({ fee, freeAbove, transitMax }) => [
    fee,
    freeAbove,
    transitMax
  ])
  return [leadDays, daysAhead, longDaysAhead].every(isShort) && numbers.every(Number.isFinite)
}

function hasElsewhereNumbers({
  delivery: { elsewhere, elsewhereFee, elsewhereDays }
}: DeliveryRules): boolean {
  return elsewhere !== 'courier' || [elsewhereFee, elsewhereDays].every(Number.isFinite)
}

export function findNeverOpen(
  rules: DeliveryRules,
  products: readonly Pick<Product, 'name' | 'category' | 'extraLeadDays'>[],
  now: number
): string[] {
  if (!hasAllNumbers(rules)) return []
  const calendar = { ...rules.calendar, closed: rules.closed }
  const hasDay = (order: { transit?: number; extraLead?: number; isLong?: boolean }): boolean =>
    listDays(calendar, { now, ...order }).some(({ isOpen }) => isOpen)
  const { zones, elsewhere, elsewhereDays } = rules.delivery
  const neverOpen = zones.filter(zone => zone.active && !hasDay({ transit: toTransit(zone) }))
  const hasCourier = elsewhere === 'courier' && Number.isFinite(elsewhereDays)
  const isElsewhereClosed = hasCourier && !hasDay({ transit: elsewhereDays ?? 0 })
  const late = products.filter(({ extraLeadDays: extraLead = 0, category }) => {
    return (
      extraLead > 0 && !hasDay({ extraLead, isLong: calendar.longCategories.includes(category) })
    )
  })
  const advice = 'Take orders for more days ahead, or lower the days to prepare'
  return [
    ...neverOpen.map(({ name }) => `Zone “${name}” has no open day. ${advice} or on the way.`),
    ...(isElsewhereClosed ? [`${texts.elsewhere} has no open day. ${advice} or on the way.`] : []),
    ...late.map(
      ({ name }) => `“${name}” has no open day. ${advice}, which the product makes longer.`
    )
  ]
}

/** Returns hints about zones that share pincodes. Of these, the upper zone applies. */
export function findOverlaps(zones: readonly Zone[]): string[] {
  const active = zones.filter(zone => zone.active && parsePincodes(zone.pincodes) !== undefined)
  return active.flatMap((zone, index) => {
    const upper = active.slice(0, index)
    const covering = upper.find(above =>
      rangesOf(zone).every(range => rangesOf(above).some(each => contains(each, range)))
    )
    if (covering)
      return [
        `“${zone.name}” is never used, because “${covering.name}” above it has all its pincodes.`
      ]
    // A zone for the rest shares pincodes with all others.
    if (zone.pincodes.trim() === '') return []
    const shared = upper.filter(above =>
      rangesOf(zone).some(range => rangesOf(above).some(each => overlaps(each, range)))
    )
    return shared.map(
      above => `“${above.name}” and “${zone.name}” share pincodes. There, “${above.name}” applies.`
    )
  })
}

type Range = NonNullable<ReturnType<typeof parsePincodes>>[number]
const ALL: Range = { from: '100000', until: '999999' }

function rangesOf({ pincodes }: Zone): Range[] {
  const ranges = parsePincodes(pincodes) ?? []
  return ranges.length === 0 ? [ALL] : ranges
}

function contains(outer: Range, inner: Range): boolean {
  return outer.from <= inner.from && inner.until <= outer.until
}

function overlaps(a: Range, b: Range): boolean {
  return a.from <= b.until && b.from <= a.until
}
