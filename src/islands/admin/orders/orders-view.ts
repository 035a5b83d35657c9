import { deliveryRange } from '#lib/admin/orders.ts'
import { ORDER_FILTERS, type OrderFilter } from '#lib/contract/names.ts'
import type { OrderListQuery } from '#lib/stores/admin/orders.ts'
import type { EpochMs } from '#lib/time.ts'
import { toQuery } from '../../ui/history.ts'
import { parsePage } from '../ui/FilterBar.tsx'

export interface Filter {
  status: OrderFilter
  /** A key of `DELIVERY_FILTERS`, or an ISO date. */
  day: string
  q: string
  user: string
  page: number
}

const PRINT_TEMPLATES = ['packing', 'labels', 'invoices'] as const
export type PrintTemplate = (typeof PRINT_TEMPLATES)[number]

export type View =
  | { kind: 'list'; filter: Filter }
  | { kind: 'order'; id: string }
  | { kind: 'print'; template: PrintTemplate; ids: readonly string[] }

export function parseView(query: string): View {
  const params = new URLSearchParams(query)
  const id = params.get('order')
  if (id) return { kind: 'order', id }
  const template = PRINT_TEMPLATES.find(name => name === params.get('print'))
  if (template) {
    return { kind: 'print', template, ids: (params.get('ids') ?? '').split(',').filter(Boolean) }
  }
  return { kind: 'list', filter: parseFilter(params) }
}

function parseFilter(params: URLSearchParams): Filter {
  const [q, user] = [params.get('q') ?? '', params.get('user') ?? '']
  // A search or the list of one customer shows all paid orders, others only pending ones.
  const defaultStatus = q !== '' || user !== '' ? 'paid' : 'pending'
  const status = ORDER_FILTERS.find(filter => filter === params.get('status')) ?? defaultStatus
  return { status, day: params.get('day') ?? 'any', q, user, page: parsePage(params) }
}

export function printQuery(template: PrintTemplate, ids: readonly string[]): string {
  return toQuery({ print: template, ids: ids.join(',') })
}

export function toListQuery({ status, day, q, user, page }: Filter, now: EpochMs): OrderListQuery {
  return {
    status,
    ...deliveryRange(day, now),
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(user !== '' && { user }),
    ...(page > 1 && { page: String(page) })
  }
}
