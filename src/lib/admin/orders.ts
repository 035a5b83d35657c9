import type { OrderStatus } from '../constants.ts'
import type { Order } from '../contract/orders.ts'
import { formatPack } from '../pack.ts'
import { DAY, dayInIndia } from '../time.ts'

/** What the owner may look at: `paid` is all but what was never paid. */
export const ORDER_FILTERS = ['pending', 'packed', 'delivered', 'cancelled', 'paid', 'unpaid'] as const
export type OrderFilter = (typeof ORDER_FILTERS)[number]

export const ORDER_LIMITS = {
  /** Orders on a page. */
  page: 25,
  /** Orders that are moved or printed at once. */
  most: 100,
  /** Orders in a table: the latest ones, of more than a kitchen cooks in some years. */
  exported: 10_000,
  /** Characters. */
  search: 200,
  reason: 500
} as const

/** The way of an order, in its order. */
export const FULFILMENT_STATUSES = ['pending', 'packed', 'delivered'] as const
export type FulfilmentStatus = (typeof FULFILMENT_STATUSES)[number]

/** Where an order goes next; undefined where its way ends. */
export function nextStatus(status: OrderStatus): Exclude<FulfilmentStatus, 'pending'> | undefined {
  if (status === 'pending') return 'packed'
  return status === 'packed' ? 'delivered' : undefined
}

/** One step on, or one back, which takes a step back that was made by mistake. */
export function isStatusStep(from: FulfilmentStatus, to: FulfilmentStatus): boolean {
  return Math.abs(FULFILMENT_STATUSES.indexOf(from) - FULFILMENT_STATUSES.indexOf(to)) === 1
}

/** The last day of delivery for which is packed today: tomorrow's, because a parcel leaves the day before. */
export function lastDayToPack(now: number): string {
  return dayInIndia(now + DAY)
}

/** Which days of delivery the owner looks at; also one day, as '2026-11-23'. */
export const DELIVERY_DAYS = {
  any: 'Any delivery day',
  due: 'To pack today',
  today: 'Delivery today',
  tomorrow: 'Delivery tomorrow',
  week: 'Delivery in 7 days'
} as const

/** The first and the last of these days at `now` (ms since the epoch). */
export function deliveryRange(day: string, now: number): { from?: string; until?: string } {
  const today = dayInIndia(now)
  if (day === 'due') return { until: lastDayToPack(now) }
  if (day === 'today') return { from: today, until: today }
  if (day === 'tomorrow') return { from: dayInIndia(now + DAY), until: dayInIndia(now + DAY) }
  if (day === 'week') return { from: today, until: dayInIndia(now + 6 * DAY) }
  return /^\d{4}-\d\d-\d\d$/.test(day) ? { from: day, until: day } : {}
}

/** How many packs of each product and size orders hold together, by name. */
export function countPacks(orders: readonly Pick<Order, 'items'>[]): { name: string; pack: string; count: number }[] {
  const packs = new Map<string, { name: string; pack: string; count: number }>()
  for (const { product, packSize, quantity } of orders.flatMap(({ items }) => items)) {
    const pack = packSize ? formatPack(packSize) : ''
    const key = `${product._id} ${pack}`
    packs.set(key, { name: product.name, pack, count: (packs.get(key)?.count ?? 0) + quantity })
  }
  return [...packs.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
