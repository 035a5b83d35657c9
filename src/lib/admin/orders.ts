import type { OrderStatus } from '../constants.ts'
import type { Order } from '../contract/orders.ts'
import { formatPack } from '../pack.ts'
import { DAY, dayInIndia } from '../time.ts'

/** `paid` means all orders except unpaid ones. */
export const ORDER_FILTERS = ['pending', 'packed', 'delivered', 'cancelled', 'paid', 'unpaid'] as const
export type OrderFilter = (typeof ORDER_FILTERS)[number]

export const ORDER_LIMITS = {
  page: 25,
  /** Orders that are changed or printed at once. */
  maxBatch: 100,
  /** The latest orders, in one export. */
  maxExported: 10_000,
  /** In characters. */
  search: 200,
  reason: 500
} as const

export const FULFILMENT_STATUSES = ['pending', 'packed', 'delivered'] as const
export type FulfilmentStatus = (typeof FULFILMENT_STATUSES)[number]

export function nextStatus(status: OrderStatus): Exclude<FulfilmentStatus, 'pending'> | undefined {
  if (status === 'pending') return 'packed'
  return status === 'packed' ? 'delivered' : undefined
}

/** One step forward, or one back to correct a mistake. */
export function isStatusStep(from: FulfilmentStatus, to: FulfilmentStatus): boolean {
  return Math.abs(FULFILMENT_STATUSES.indexOf(from) - FULFILMENT_STATUSES.indexOf(to)) === 1
}

/** Tomorrow, because parcels leave the day before delivery. `now` in ms since the epoch. */
export function lastDayToPack(now: number): string {
  return dayInIndia(now + DAY)
}

/** Filters by delivery date; a single date such as '2026-11-23' is also accepted. */
export const DELIVERY_DAYS = {
  any: 'Any delivery date',
  due: 'To pack today',
  today: 'Delivery today',
  tomorrow: 'Delivery tomorrow',
  week: 'Delivery in the next 7 days'
} as const

/** First and last day (ISO dates, both included) of a filter; `now` in ms since the epoch. */
export function deliveryRange(day: string, now: number): { from?: string; until?: string } {
  const today = dayInIndia(now)
  if (day === 'due') return { until: lastDayToPack(now) }
  if (day === 'today') return { from: today, until: today }
  if (day === 'tomorrow') return { from: dayInIndia(now + DAY), until: dayInIndia(now + DAY) }
  if (day === 'week') return { from: today, until: dayInIndia(now + 6 * DAY) }
  return /^\d{4}-\d\d-\d\d$/.test(day) ? { from: day, until: day } : {}
}

export function countPacks(orders: readonly Pick<Order, 'items'>[]): { name: string; pack: string; count: number }[] {
  const packs = new Map<string, { name: string; pack: string; count: number }>()
  for (const { product, packSize, quantity } of orders.flatMap(({ items }) => items)) {
    const pack = packSize ? formatPack(packSize) : ''
    const key = `${product._id} ${pack}`
    packs.set(key, { name: product.name, pack, count: (packs.get(key)?.count ?? 0) + quantity })
  }
  return [...packs.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
