import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { formatDay } from '#lib/delivery.ts'
import { formatRupees } from '#lib/money.ts'
import { formatPhone } from '#lib/phone.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { StatusBadge } from '../../orders/StatusBadge.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'
import { StatusButton } from './StatusButton.tsx'
import { orderQuery } from './orders-view.ts'

interface OrderTableProps {
  orders: readonly AdminOrder[]
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

export function OrderTable({ orders, selected, onSelect }: OrderTableProps) {
  return (
    <DataTable
      caption="Orders"
      columns={COLUMNS}
      rows={orders}
      getKey={({ _id }) => _id}
      actions={order => <StatusButton order={order} />}
      selection={{ selected, onSelect, getLabel: ({ orderNumber }) => `Select order ${orderNumber}` }}
    />
  )
}

export function linkId(id: string): string {
  return `order-${id}`
}

const COLUMNS: readonly Column<AdminOrder>[] = [
  { id: 'order', label: 'Order', cell: order => <NameCell order={order} /> },
  {
    id: 'delivery',
    label: 'Delivery',
    cell: ({ deliveryDate }) => (deliveryDate === null ? 'No date selected' : formatDay(deliveryDate))
  },
  { id: 'status', label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'products',
    label: 'Products',
    isFullWidth: true,
    cell: ({ items }) => items.map(({ product, quantity }) => `${quantity} × ${product.name}`).join(', ')
  },
  { id: 'total', label: 'Total', numeric: true, cell: ({ totalAmount }) => formatRupees(totalAmount) }
]

function NameCell({ order: { _id, orderNumber, createdAt, customerDetails } }: { order: AdminOrder }) {
  const { name, phone } = customerDetails
  return (
    <ViewLink id={linkId(_id)} query={orderQuery(_id)} className="block min-h-target hover:text-chilli">
      <span className="block underline underline-offset-4">{orderNumber}</span>
      <span className="block break-words font-normal">{name || 'Deleted account'}</span>
      <span className="block text-sm font-normal text-ink/70">
        {phone && `${formatPhone(phone)} · `}
        {formatDayAndTime(createdAt)}
      </span>
    </ViewLink>
  )
}
