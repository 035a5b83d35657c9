import { ORDER_FILTERS, deliveryRange, type OrderFilter } from '#lib/admin/orders.ts'
import type { OrderListQuery } from '#lib/stores/admin/orders.ts'

export interface Filter {
  status: OrderFilter
  /** A key of `DELIVERY_DAYS`, or an ISO date. */
  day: string
  q: string
  user: string
  page: number
}

export type View =
  | { kind: 'list'; filter: Filter }
  | { kind: 'order'; id: string }
  | { kind: 'print'; what: 'packing' | 'labels'; ids: readonly string[] }

export function readView(query: string): View {
  const asked = new URLSearchParams(query)
  const id = asked.get('order')
  if (id) return { kind: 'order', id }
  const what = asked.get('print')
  if (what === 'packing' || what === 'labels') {
    return { kind: 'print', what, ids: (asked.get('ids') ?? '').split(',').filter(Boolean) }
  }
  return { kind: 'list', filter: readFilter(asked) }
}

function readFilter(asked: URLSearchParams): Filter {
  const [q, user] = [asked.get('q') ?? '', asked.get('user') ?? '']
  // A search covers all orders; the default shows the work to do.
  const defaultStatus = q !== '' || user !== '' ? 'paid' : 'pending'
  const status = ORDER_FILTERS.find(each => each === asked.get('status')) ?? defaultStatus
  return { status, day: asked.get('day') ?? 'any', q, user, page: Math.max(1, Number(asked.get('page')) || 1) }
}

export function orderQuery(id: string): string {
  return `?${new URLSearchParams({ order: id })}`
}

export function printQuery(what: 'packing' | 'labels', ids: readonly string[]): string {
  return `?${new URLSearchParams({ print: what, ids: ids.join(',') })}`
}

/** `now` in ms since the epoch. */
export function toListQuery({ status, day, q, user, page }: Filter, now: number): OrderListQuery {
  return {
    status,
    ...deliveryRange(day, now),
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(user !== '' && { user }),
    ...(page > 1 && { page: String(page) })
  }
}
