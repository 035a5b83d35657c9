import { ORDER_FILTERS, deliveryRange, type OrderFilter } from '#lib/admin/orders.ts'
import type { OrderListQuery } from '#lib/stores/admin/orders.ts'

export interface Filter {
  status: OrderFilter
  /** A name of `ORDER_DAYS`, or one day. */
  day: string
  q: string
  /** Whose orders only. */
  user: string
  page: number
}

/** What the page shows, as its address says. */
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
  // Who searches means all orders; else what is to be done stands first.
  const usual = q !== '' || user !== '' ? 'paid' : 'pending'
  const status = ORDER_FILTERS.find(each => each === asked.get('status')) ?? usual
  return { status, day: asked.get('day') ?? 'any', q, user, page: Math.max(1, Number(asked.get('page')) || 1) }
}

export function orderQuery(id: string): string {
  return `?${new URLSearchParams({ order: id })}`
}

export function printQuery(what: 'packing' | 'labels', ids: readonly string[]): string {
  return `?${new URLSearchParams({ print: what, ids: ids.join(',') })}`
}

/** What is asked of the shop; `now` in ms since the epoch. */
export function toListQuery({ status, day, q, user, page }: Filter, now: number): OrderListQuery {
  return {
    status,
    ...deliveryRange(day, now),
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(user !== '' && { user }),
    ...(page > 1 && { page: String(page) })
  }
}
