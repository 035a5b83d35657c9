import type { Order } from '#lib/contract/orders.ts'
import type { Picture } from '#lib/contract/values.ts'
import { PAYMENT_METHOD, type OrderStatus, type PaymentStatus } from '#lib/constants.ts'
import { toRupees } from '#lib/money.ts'
import type { OrderLineRow, OrderPaymentState, OrderRow } from '../platform/db/order-tables.ts'
import { addressOf, customerOf } from './order-parts.ts'
import { fallbackFile } from '../catalog/queries.ts'
import { mayCancel } from './cancellation-rules.ts'

const PAYMENT_STATUS: Record<OrderPaymentState, PaymentStatus> = {
  awaiting: 'pending',
  paid: 'completed',
  expired: 'failed',
  cancelled: 'failed',
  refund_due: 'refunding',
  refunded: 'refunded'
}

export function toOrder(row: OrderRow, lines: readonly OrderLineRow[], now: number): Order {
  const creditNote = formatSerialNumber('CN', row.credit_year, row.credit_no)
  return {
    _id: row.id,
    orderNumber: row.order_no,
    createdAt: row.created_at,
    status: statusOf(row),
    items: lines.map(toItem),
    totalAmount: toRupees(row.total),
    shippingAddress: addressOf(row),
    customerDetails: customerOf(row),
    deliveryDate: row.delivery_date,
    paymentMethod: PAYMENT_METHOD,
    paymentStatus: PAYMENT_STATUS[row.payment_state],
    razorpay_payment_id: row.paid_payment_id,
    razorpay_order_id: row.provider_order_id,
    razorpay_signature: row.signature,
    history: historyOf(row),
    ...(creditNote !== null && { creditNoteNumber: creditNote }),
    invoiceNumber: formatSerialNumber('PG', row.invoice_year, row.invoice_no),
    paidAt: row.paid_at,
    canCancel: mayCancel(row, lines, now)
  }
}

export function statusOf({ payment_state, fulfilment_status }: OrderRow): OrderStatus {
  if (fulfilment_status !== null) return fulfilment_status
  if (payment_state === 'awaiting') return 'checking'
  return payment_state === 'expired' ? 'expired' : 'cancelled'
}

function historyOf(row: OrderRow): Order['history'] {
  const { created_at, paid_at, packed_at, delivered_at, ended_at } = row
  const steps = [
    { status: 'checking', at: paid_at === null ? created_at : null },
    { status: 'pending', at: paid_at },
    { status: 'packed', at: packed_at },
    { status: 'delivered', at: delivered_at },
    { status: row.payment_state === 'expired' ? 'expired' : 'cancelled', at: ended_at }
  ] as const
  return steps.flatMap(({ status, at }) => (at === null ? [] : [{ status, at }]))
}

function toItem(line: OrderLineRow): Order['items'][number] {
  const picture = line.picture === null ? undefined : (JSON.parse(line.picture) as Picture)
  return {
    product: {
      _id: line.product_id,
      name: line.name,
      image: picture ? fallbackFile(picture) : '',
      ...(picture && { picture })
    },
    quantity: line.quantity,
    price: toRupees(line.price),
    listPrice: toRupees(line.list_price),
    ...(line.percent !== null && { discount: line.percent }),
    total: toRupees(line.total),
    packSize: { value: line.pack_value, unit: line.pack_unit, type: line.pack_type }
  }
}

/**
 * Formats the number of an invoice or credit note, such as 'PG/26-27/000042'. GST rules allow at most 16 characters.
 */
function formatSerialNumber(series: string, year: string | null, no: number | null): string | null {
  return year === null || no === null ? null : `${series}/${year}/${String(no).padStart(6, '0')}`
}
