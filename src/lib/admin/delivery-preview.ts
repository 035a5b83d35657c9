import { ARMY_PINCODE, PINCODE } from '../constants.ts'
import type { Product } from '../contract/catalog.ts'
import { listDays, type OrderTime } from '../delivery/calendar.ts'
import {
  findTerms,
  type DeliveryRules,
  type DeliveryTerms,
  findZone,
  isElsewhereMissing,
  OTHER_PINCODE,
  toTransit,
  type Zone
} from '../delivery/terms.ts'
import { parsePincodes, type PincodeRange } from '../contract/formats.ts'
import { t, text } from '../contract/texts.ts'
import { formatPaise, toPaise, type Paise } from '../money.ts'
import { METHOD_LABELS } from '../order.ts'
import { formatDayAndTime, formatShortDay } from '../time.ts'

const ELSEWHERE = text('Everywhere else')

/** For example '620018, Tue 24 Nov, 3:00 pm → own delivery, ₹0, first day Thu 26 Nov'. */
export function previewDelivery(rules: DeliveryRules, pincode: string, now: number): string[] {
  const { delivery } = rules
  const answer = (to: string) => {
    const isReady =
      hasAllNumbers(rules) && (findZone(delivery.zones, to) || hasElsewhereNumbers(rules))
    return isReady
      ? describeTerms(
          findTerms(rules, { items: [], goods: toPaise(0), to: { pincode: to }, now }),
          to
        )
      : t('enter all numbers of the form first')
  }
  const time = formatDayAndTime(new Date(now).toISOString())
  const choice = isElsewhereMissing(delivery) ? `. ${t('Please choose this above.')}` : ''
  return [
    PINCODE.test(pincode)
      ? `${pincode}, ${time} → ${answer(pincode)}`
      : t('Enter a pincode of 6 digits.'),
    `${t(ELSEWHERE)} → ${answer(OTHER_PINCODE)}${choice}`
  ]
}

function describeTerms(terms: DeliveryTerms | undefined, pincode: string) {
  if (!terms)
    return t(
      ARMY_PINCODE.test(pincode)
        ? 'not delivered, an army post office. If you send parcels there by post, add a place ' +
            'with the pincode 9.'
        : 'not delivered'
    )
  const { method, zone, usualFee, freeAbove, days } = terms
  const first = days.find(({ isOpen }) => isOpen)
  const kitchenDay = first && first.kitchenDay !== first.date && first.kitchenDay
  const fee = formatShort(usualFee)
  return [
    METHOD_LABELS[method].toLowerCase(),
    zone,
    freeAbove === null
      ? fee
      : t('{fee} (free from {amount})', { fee, amount: formatShort(freeAbove) }),
    first ? t('first day {day}', { day: formatShortDay(first.date) }) : t('no open day'),
    kitchenDay && t('leaves the kitchen on {day}', { day: formatShortDay(kitchenDay) })
  ]
    .filter(Boolean)
    .join(', ')
}

function formatShort(amount: Paise) {
  return formatPaise(amount).replace(/\.00$/, '')
}

/** More days would freeze the page. The server accepts fewer. */
const MAX_DAYS = 365

function hasAllNumbers({ calendar, delivery }: DeliveryRules) {
  const { leadDays, daysAhead, longDaysAhead } = calendar
  const numbers = delivery.zones.flatMap(zone => [zone.fee, zone.freeAbove, zone.transitMax])
  return (
    [leadDays, daysAhead, longDaysAhead].every(days => Number.isFinite(days) && days <= MAX_DAYS) &&
    numbers.every(Number.isFinite)
  )
}

function hasElsewhereNumbers({
  delivery: { elsewhere, elsewhereFee, elsewhereDays }
}: DeliveryRules) {
  return elsewhere !== 'courier' || [elsewhereFee, elsewhereDays].every(Number.isFinite)
}

export function findNeverOpen(
  rules: DeliveryRules,
  products: readonly Pick<Product, 'name' | 'category' | 'extraLeadDays'>[],
  now: number
): string[] {
  if (!hasAllNumbers(rules)) return []
  const calendar = { ...rules.calendar, closed: rules.closed }
  const hasDay = (order: Omit<OrderTime, 'now'>) =>
    listDays(calendar, { now, ...order }).some(({ isOpen }) => isOpen)
  const { zones, elsewhere, elsewhereDays } = rules.delivery
  const neverOpen = zones.filter(zone => zone.active && !hasDay({ transit: toTransit(zone) }))
  const isElsewhereClosed =
    elsewhere === 'courier' &&
    Number.isFinite(elsewhereDays) &&
    !hasDay({ transit: elsewhereDays ?? 0 })
  const late = products.filter(({ extraLeadDays: extraLead = 0, category }) => {
    const isLong = calendar.longCategories.includes(category)
    return extraLead > 0 && !hasDay({ extraLead, isLong })
  })
  return [
    ...neverOpen.map(({ name }) => `“${name}”`),
    ...(isElsewhereClosed ? [t(ELSEWHERE)] : []),
    ...late.map(({ name }) => `“${name}”`)
  ].map(name =>
    t('{name} has no open day. Allow orders more days ahead, or lower the days that it takes.', {
      name
    })
  )
}

/** The first place in the list that has a pincode applies. */
export function findUnused(zones: readonly Zone[]): string[] {
  const active = zones.flatMap(({ name, pincodes, active: isActive }) => {
    const ranges = parsePincodes(pincodes)
    return isActive && ranges ? [{ name, ranges: ranges.length > 0 ? ranges : ALL }] : []
  })
  return active.flatMap(({ name, ranges }, index) => {
    const covering = active
      .slice(0, index)
      .find(above => ranges.every(range => above.ranges.some(each => contains(each, range))))
    return covering
      ? [
          t('“{name}” is never used, because “{other}” above it has all its pincodes.', {
            name,
            other: covering.name
          })
        ]
      : []
  })
}

/** Of a zone without pincodes. */
const ALL: readonly PincodeRange[] = [{ from: '100000', until: '899999' }]

function contains(outer: PincodeRange, inner: PincodeRange) {
  return outer.from <= inner.from && inner.until <= outer.until
}
