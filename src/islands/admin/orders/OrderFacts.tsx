import type { ReactNode } from 'react'
import { toAddressLines } from '#lib/address.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { formatDelivery, PAYMENT_LABELS } from '#lib/order-status.ts'
import { formatPhone } from '#lib/phone.ts'
import { OrderItems } from '../../orders/OrderItems.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'

export function OrderFacts({ order }: { order: AdminOrder }) {
  const { items, totalAmount, paymentStatus, razorpay_payment_id: payment, invoiceNumber, creditNoteNumber } = order
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
        {order.isAnonymised ? (
          <Fact term="Customer">{ADMIN_MESSAGES.customerDeleted}</Fact>
        ) : (
          <Customer order={order} />
        )}
        {invoiceNumber && (
          <Fact term="Invoice">
            {invoiceNumber}
            {creditNoteNumber && <span className="block">Credit note {creditNoteNumber}</span>}
          </Fact>
        )}
      </dl>
    </div>
  )
}

function Customer({ order: { customerDetails, shippingAddress, userId } }: { order: AdminOrder }) {
  const { name, phone, email } = customerDetails
  return (
    <>
      <Fact term="Deliver to">
        {[name, ...toAddressLines(shippingAddress)].map(line => (
          <span key={line} className="block break-words">
            {line}
          </span>
        ))}
      </Fact>
      <Fact term="Contact">
        <a href={`tel:+91${phone}`} className="link target">
          {formatPhone(phone)}
        </a>
        <br />
        <a href={`mailto:${email}`} className="link target break-all">
          {email}
        </a>
        <br />
        <ViewLink query={`?${new URLSearchParams({ user: userId })}`} className="link target">
          All orders of this customer
        </ViewLink>
      </Fact>
    </>
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
