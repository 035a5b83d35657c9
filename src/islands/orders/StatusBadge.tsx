import type { OrderStatus } from '#lib/constants.ts'
import { STATUS_WORDS } from '#lib/order-status.ts'

const COLOURS: Partial<Record<OrderStatus, string>> = {
  pending: 'bg-status-pending',
  packed: 'bg-status-packed',
  delivered: 'bg-status-delivered'
}

/** An order's status: in words, and in its colour. */
export function StatusBadge({ status }: { status: OrderStatus }) {
  const colour = COLOURS[status] ?? 'bg-status-other'
  return (
    <span data-status={status} className={`inline-block rounded-full px-3 py-1 text-sm font-semibold ${colour}`}>
      {STATUS_WORDS[status]}
    </span>
  )
}
