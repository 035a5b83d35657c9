import { toAddressLines } from '../account/address.ts'
import type { KitchenDayOrder } from '../contract/kitchen.ts'
import { isKitchenOpen, listDays } from '../delivery/calendar.ts'
import { type DayLoad, type DeliveryRules, toDayState } from '../delivery/terms.ts'
import type { DeliveryMethod } from '../contract/names.ts'
import { groupBy } from '../group-by.ts'
import { formatPack, MEASURES } from '../product.ts'
import { addDays, toDayInIndia } from '../time.ts'

type DayLine = KitchenDayOrder['lines'][number]

interface CookGroup {
  label: string
  rows: { name: string; nameTamil: string; packs: string; count: number; amount: string }[]
}

export function toCookList(
  orders: readonly Pick<KitchenDayOrder, 'status' | 'lines'>[],
  categories: readonly { name: string; label: string }[]
): CookGroup[] {
  const lines = orders.filter(({ status }) => status === 'pending').flatMap(order => order.lines)
  const known = categories.map(({ name }) => name)
  const rest = [...new Set(lines.map(({ category }) => category))].filter(
    name => !known.includes(name)
  )
  return [...categories, ...rest.map(name => ({ name, label: name }))].flatMap(
    ({ name, label }) => {
      const rows = toCookRows(lines.filter(({ category }) => category === name))
      return rows.length > 0 ? [{ label, rows }] : []
    }
  )
}

function toCookRows(lines: readonly DayLine[]): CookGroup['rows'] {
  const byName = groupBy(lines, ({ product }) => product.name)
  const rows = [...byName].map(([name, same]) => ({
    name,
    nameTamil: same[0]?.product.nameTamil ?? '',
    packs: formatPacks(same),
    count: sum(same.map(({ quantity }) => quantity)),
    amount: formatAmount(same)
  }))
  return rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

function formatPacks(lines: readonly DayLine[]) {
  const sizes = groupBy(
    lines.toSorted((a, b) => toMeasure(a.packSize).value - toMeasure(b.packSize).value),
    ({ packSize }) => formatPack(packSize)
  )
  return [...sizes]
    .map(([size, same]) => `${sum(same.map(({ quantity }) => quantity))} × ${size}`)
    .join(', ')
}

function formatAmount(lines: readonly DayLine[]) {
  const units = groupBy(lines, ({ packSize }) => toMeasure(packSize).unit)
  const amounts = [...units].map(([unit, same]) => {
    const total = sum(same.map(({ packSize, quantity }) => toMeasure(packSize).value * quantity))
    return formatPack({ value: Math.round(total * 1000) / 1000, unit })
  })
  return amounts.join(' + ')
}

function toMeasure({ value, unit }: DayLine['packSize']): { value: number; unit: string } {
  const measure = MEASURES[unit]
  return measure ? { value: (value * measure.base) / 1000, unit: measure.large } : { value, unit }
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((total, number) => total + number, 0)
}

const GONE: ReadonlySet<string> = new Set(['shipped', 'delivered'])

/** The orders that are still to be brought, sent or picked up. */
export function listStops<Order extends KitchenDayOrder>(
  orders: readonly Order[],
  method: DeliveryMethod
): Order[] {
  const key = ({ shippingAddress: { city, pincode, street } }: Order) =>
    [city.trim().toLowerCase(), pincode, street].join(' ')
  return orders
    .filter(({ deliveryMethod = 'own', status }) => deliveryMethod === method && !GONE.has(status))
    .toSorted((a, b) => key(a).localeCompare(key(b), 'en'))
}

export function toMapLink(address: KitchenDayOrder['shippingAddress']): string {
  const { landmark: _, ...place } = address
  return `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: toAddressLines(place).join(', ') })}`
}

export function isAllPacked({ status, lines }: Pick<KitchenDayOrder, 'status' | 'lines'>): boolean {
  return status !== 'pending' || lines.every(({ isPacked }) => isPacked)
}

export interface BookedDay extends DayLoad {
  day: string
  /** `late`: too late to order for this day. `holiday`: also a closed week day. */
  state: 'past' | 'late' | 'open' | 'few' | 'full' | 'closed' | 'holiday'
}

export function listBookedDays(
  month: string,
  booked: readonly (DayLoad & { day: string })[],
  { calendar, closed }: Pick<DeliveryRules, 'calendar' | 'closed'>,
  now: number
): BookedDay[] {
  const today = toDayInIndia(now)
  const earliest = listDays({ ...calendar, closed }, { now })[0]?.kitchenDay ?? today
  const days: BookedDay[] = []
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
    const { orders, units } = booked.find(row => row.day === day) ?? { orders: 0, units: 0 }
    days.push({ day, orders, units, state: findState(day, { orders, units }) })
  }
  return days

  function findState(day: string, load: DayLoad): BookedDay['state'] {
    if (day < today) return 'past'
    if (calendar.closedDates.includes(day)) return 'closed'
    const isOpen = isKitchenOpen({ ...calendar, closed }, day)
    if (isOpen && day < earliest) return 'late'
    const state = toDayState({ date: day, kitchenDay: day, isOpen }, load, calendar, 1)
    return state === 'closed' ? 'holiday' : state
  }
}

/** Days that are over leave the list, which is limited. */
export function changeClosedDates(
  dates: readonly string[],
  change: { day: string; isClosed: boolean },
  today: string
): string[] {
  const others = dates.filter(date => date !== change.day && date >= today)
  return change.isClosed ? [...others, change.day].toSorted() : others
}
