import type { OrderStatus } from '#lib/constants.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'

const COLORS: Partial<Record<OrderStatus, string>> = {
  pending: 'bg-status-pending',
  packed: 'bg-status-packed',
  delivered: 'bg-status-delivered'
}

export function StatusBadge({ status }: { status: OrderStatus }) {
  const color = COLORS[status] ?? 'bg-status-other'
  return (
    <span data-status={status} className={`inline-block rounded-full px-3 py-1 text-sm font-semibold ${color}`}>
      {STATUS_LABELS[status]}
    </span>
  )
}
