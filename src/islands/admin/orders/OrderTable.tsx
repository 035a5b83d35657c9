import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatPhone } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { lastPromisedDay, nextStatus } from '#lib/admin/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { formatItem, METHOD_LABELS, toStatusLabel } from '#lib/order.ts'
import { $may } from '#lib/stores/admin/access.ts'
import { setOrderStatus, type StaffOrder } from '#lib/stores/admin/orders.ts'
import { formatDayAndTime, formatShortDay } from '#lib/time.ts'
import { StatusBadge } from '../../orders/OrderParts.tsx'
import { Button } from '../../ui/Button.tsx'
import { toQuery } from '../../ui/history.ts'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { useReturnFocus, viewLink } from '../ui/views.tsx'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { ShipOrders } from './ShipOrders.tsx'

interface OrderTableProps {
  orders: readonly StaffOrder[]
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

export function OrderTable({ orders, selected, onSelect }: OrderTableProps) {
  const may = useStore($may)
  useReturnFocus()
  return (
    <DataTable
      caption="Orders"
      columns={may('GET /admin/orders') ? [...COLUMNS, TOTAL] : COLUMNS}
      rows={orders}
      getKey={({ _id }) => _id}
      actions={order => <StatusButton order={order} />}
      selection={{
        selected,
        onSelect,
        getLabel: ({ orderNumber }) => `Select order ${orderNumber}`
      }}
    />
  )
}

const COLUMNS: readonly Column<StaffOrder>[] = [
  { label: 'Order', cell: order => <NameCell order={order} /> },
  { label: 'Delivery', cell: order => <DueCell order={order} /> },
  { label: 'Status', cell: order => <StatusCell order={order} /> },
  {
    label: 'Products',
    isFullWidth: true,
    cell: ({ items }) => (
      <div className="break-words xl:min-w-32">{items.map(formatItem).join(', ')}</div>
    )
  }
]
const TOTAL: Column<StaffOrder> = {
  label: 'Total',
  numeric: true,
  cell: order => 'totalAmount' in order && formatRupees(order.totalAmount)
}

function NameCell({
  order: { _id, orderNumber, createdAt, customerDetails }
}: {
  order: StaffOrder
}) {
  const { name, phone } = customerDetails
  return (
    <a {...viewLink(toQuery({ order: _id }))} className="block min-h-target hover:text-chilli">
      <span className="block underline underline-offset-4">{orderNumber}</span>
      <span className="block break-words font-normal">{name || 'Deleted account'}</span>
      <span className="block text-sm font-normal text-ink/70">
        {phone && `${formatPhone(phone)} · `}
        {formatDayAndTime(createdAt)}
      </span>
    </a>
  )
}

function DueCell({ order }: { order: StaffOrder }) {
  return (
    <div className="xl:min-w-28">
      {order.deliveryDate === null ? (
        <>
          As soon as possible
          <span className="block text-sm text-ink/70">
            By {formatShortDay(lastPromisedDay(order))} at the latest
          </span>
        </>
      ) : (
        <span className="whitespace-nowrap">{formatShortDay(order.deliveryDate)}</span>
      )}
      {order.deliveryMethod && (
        <span className="block text-sm text-ink/70">{METHOD_LABELS[order.deliveryMethod]}</span>
      )}
    </div>
  )
}

function StatusCell({ order }: { order: StaffOrder }) {
  return (
    <>
      <StatusBadge order={order} />
      {order.isTest && <b className="block text-sm">Test order</b>}
      {order.isOnHold && <b className="block text-chilli">On hold</b>}
    </>
  )
}

export function StatusButton({ order, primary = false }: { order: StaffOrder; primary?: boolean }) {
  const [isShipping, setIsShipping] = useState(false)
  const next = nextStatus(order)
  if (next === undefined) return null
  const label = `Mark as ${toStatusLabel(next, order).toLowerCase()}`
  const update = () =>
    toastErrors(() => setOrderStatus(order, next), ADMIN_MESSAGES.ordersFailed, order._id)
  return (
    <>
      <Button
        look={primary ? 'primary' : 'quiet'}
        label={label}
        className={primary ? '' : 'w-full xl:w-auto xl:px-3'}
        aria-label={`${label}: order ${order.orderNumber}`}
        // The second click of a double click would already mean the next status.
        onClick={({ detail }) =>
          detail < 2 && (next === 'shipped' ? setIsShipping(true) : void update())
        }
      />
      {isShipping && <ShipOrders orders={[order]} onClose={() => setIsShipping(false)} />}
    </>
  )
}
