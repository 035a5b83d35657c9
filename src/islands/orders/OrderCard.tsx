import type { ReactNode } from 'react'
import { toAddressLines } from '#lib/address.ts'
import type { Order } from '#lib/contract/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { formatDelivery, PAYMENT_LABELS, STATUS_TEXTS } from '#lib/order-status.ts'
import { invoicePath, paths } from '#lib/paths.ts'
import { formatPhone } from '#lib/phone.ts'
import { formatDate } from '#lib/time.ts'
import { buyAgain } from '#lib/stores/orders.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { CancelOrder } from './CancelOrder.tsx'
import { OrderItems } from './OrderItems.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { Timeline } from './Timeline.tsx'

export function OrderCard({ order }: { order: Order }) {
  const { orderNumber, createdAt, status, items, totalAmount } = order
  return (
    <article aria-label={`Order ${orderNumber}`} className="card p-4 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h2 className="text-lg">Order {orderNumber}</h2>
          <p className="text-sm text-ink/70">Ordered on {formatDate(createdAt)}</p>
        </div>
        <StatusBadge status={status} />
      </div>
      <p className="mt-3">{STATUS_TEXTS[status]}</p>
      <p className="mt-1">{items.map(({ product, quantity }) => `${quantity} × ${product.name}`).join(', ')}</p>
      <p className="mt-1 text-lg font-semibold tabular-nums">{formatRupees(totalAmount)}</p>
      <div className="mt-4">
        <Timeline order={order} />
      </div>
      <div className="mt-4">
        <Disclosure title="Details">{() => <Details order={order} />}</Disclosure>
      </div>
      <Actions order={order} />
    </article>
  )
}

function Details({ order }: { order: Order }) {
  const { customerDetails, shippingAddress, items, totalAmount, paymentStatus, razorpay_payment_id: payment } = order
  return (
    <div className="grid gap-4">
      <OrderItems items={items} />
      <p className="flex justify-between gap-4 border-t border-brass/40 pt-3 font-semibold">
        Total <span className="tabular-nums">{formatRupees(totalAmount)}</span>
      </p>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact term="Delivery">{formatDelivery(order)}</Fact>
        <Fact term="Payment">
          {PAYMENT_LABELS[paymentStatus]}
          {payment && <span className="block break-words text-sm text-ink/70">{payment}</span>}
        </Fact>
        <Fact term="Deliver to">
          {[customerDetails.name, ...toAddressLines(shippingAddress)].map(line => (
            <span key={line} className="block break-words">
              {line}
            </span>
          ))}
        </Fact>
        <Fact term="Contact">
          <span className="block">{formatPhone(customerDetails.phone)}</span>
          <span className="block break-words">{customerDetails.email}</span>
        </Fact>
      </dl>
    </div>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="font-semibold">{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Actions({ order }: { order: Order }) {
  const { _id, orderNumber, invoiceNumber, canCancel } = order
  const orderAgain = () => {
    buyAgain(order)
    location.assign(paths.cart)
  }
  return (
    <div className="flex flex-wrap gap-3 border-t border-brass/40 pt-4">
      <button
        type="button"
        className="button-quiet"
        aria-label={`Buy again: order ${orderNumber}`}
        onClick={orderAgain}
      >
        Buy again
      </button>
      {invoiceNumber && (
        <a href={invoicePath(_id)} className="button-quiet" aria-label={`Invoice of order ${orderNumber}`}>
          Invoice
        </a>
      )}
      {canCancel && <CancelOrder order={order} />}
    </div>
  )
}
