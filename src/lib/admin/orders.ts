import { DELIVERY_DAYS_AHEAD } from '../constants.ts'
import type { AdminOrder, KitchenOrder, Order } from '../contract/orders.ts'
import { listFulfilmentSteps } from '../order.ts'
import { type FulfilmentStatus, KITCHEN_FILTERS, FULFILMENT_STATUSES } from '../contract/names.ts'
import { formatPack } from '../product.ts'
import { DAY, toDayInIndia } from '../time.ts'

export function isOpenOrder({ status }: Pick<Order, 'status'>): boolean {
  return KITCHEN_FILTERS.some(open => open === status)
}

type Steppable = Pick<Order, 'status' | 'deliveryMethod'> &
  Partial<Pick<AdminOrder, 'isOnHold' | 'isAnonymised'>>

export function nextStatus(order: Steppable): FulfilmentStatus | undefined {
  if (order.isOnHold || order.isAnonymised) return undefined
  const steps = listFulfilmentSteps(order)
  const current = steps.findIndex(step => step === order.status)
  return current < 0 ? undefined : steps[current + 1]
}

interface StatusStep<Each> {
  from: FulfilmentStatus
  to: FulfilmentStatus
  orders: readonly Each[]
}

export function groupByNextStatus<Each extends Steppable>(
  orders: readonly Each[]
): StatusStep<Each>[] {
  return KITCHEN_FILTERS.flatMap(from =>
    FULFILMENT_STATUSES.map(to => ({
      from,
      to,
      orders: orders.filter(order => order.status === from && nextStatus(order) === to)
    }))
  ).filter(step => step.orders.length > 0)
}

export function hasParcel({ status }: Pick<AdminOrder, 'status'>): boolean {
  return FULFILMENT_STATUSES.some(each => each === status)
}

export function listOpenReversals({
  reversals
}: Pick<AdminOrder, 'reversals'>): AdminOrder['reversals'] {
  return reversals.filter(({ state, isAcknowledged }) => state !== 'void' && !isAcknowledged)
}

export function isOnHold(order: Pick<AdminOrder, 'status' | 'reversals'>): boolean {
  return isOpenOrder(order) && listOpenReversals(order).length > 0
}

/** Customers who choose no delivery date are told that their order comes within 7 days. */
export function lastPromisedDay({ createdAt }: Pick<Order, 'createdAt'>): string {
  return toDayInIndia(Date.parse(createdAt) + 7 * DAY)
}

/** Until this date, every order is due that a customer could place now. */
export function lastDueDate(now: number): string {
  return toDayInIndia(now + DELIVERY_DAYS_AHEAD.earliest * DAY)
}

/** Orders that are due by this date must be packed today. Parcels leave the day before delivery. */
export function lastDayToPack(now: number): string {
  return toDayInIndia(now + DAY)
}

/** Labels of the delivery filters. The filter can also be a date such as '2026-11-23'. */
export const DELIVERY_FILTERS = {
  any: 'Any date',
  due: 'Due within 2 days',
  pack: 'To pack today',
  today: 'Delivery today',
  tomorrow: 'Delivery tomorrow',
  week: 'Next 7 days'
} as const

export function deliveryRange(filter: string, now: number): { from?: string; until?: string } {
  const today = toDayInIndia(now)
  if (filter === 'due') return { until: lastDueDate(now) }
  if (filter === 'pack') return { until: lastDayToPack(now) }
  if (filter === 'today') return { from: today, until: today }
  if (filter === 'tomorrow')
    return { from: toDayInIndia(now + DAY), until: toDayInIndia(now + DAY) }
  if (filter === 'week') return { from: today, until: toDayInIndia(now + 6 * DAY) }
  return /^\d{4}-\d\d-\d\d$/.test(filter) ? { from: filter, until: filter } : {}
}

export function listPacks(
  orders: readonly Pick<KitchenOrder, 'items'>[]
): { name: string; pack: string; count: number }[] {
  const packs = new Map<string, { name: string; pack: string; count: number }>()
  for (const { product, packSize, quantity } of orders.flatMap(({ items }) => items)) {
    const pack = packSize ? formatPack(packSize) : ''
    const key = `${product._id} ${pack}`
    packs.set(key, { name: product.name, pack, count: (packs.get(key)?.count ?? 0) + quantity })
  }
  return [...packs.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
