import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/contract/formats.ts'
import { fieldFormatter } from '#lib/admin/record-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { hasParcel } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { t, text, texts } from '#lib/contract/texts.ts'
import { formatRupees } from '#lib/money.ts'
import { formatDelivery, listCreditNotes, recipientOf, STATUS_LABELS } from '#lib/order.ts'
import { formatPack } from '#lib/product.ts'
import {
  $orderById,
  acknowledgeReversals,
  readAdminOrder,
  retryRefund,
  type StaffOrder,
  toastOrderErrors
} from '#lib/stores/admin/orders.ts'
import { formatDate } from '#lib/time.ts'
import { OrderLinkFact } from '../../orders/OrderLink.tsx'
import {
  OrderChanges,
  OrderDetails,
  StatusBadge,
  Timeline,
  Wishes
} from '../../orders/OrderParts.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { ChangeHistory } from '../ui/RecordPage.tsx'
import { BackLink, FocusedHeading, Loaded, Note, useMay, viewLink } from '../ui/views.tsx'
import { OrderActions } from './ChangeOrder.tsx'
import { ChangeTracking, StatusButton } from './MoveOrders.tsx'

export type PrintTemplate = 'packing' | 'labels' | 'invoices'

export function printLink(template: PrintTemplate, ids: readonly string[]) {
  return viewLink({ print: template, ids: ids.join(',') })
}

export function OrderDetail({ id, listQuery }: { id: string; listQuery: string }) {
  const [result, reload] = useLoad(id, () => readAdminOrder(id))
  const stored = useStore($orderById)[id]
  // An order that the list has already loaded is shown at once.
  const state =
    stored && result.state !== 'failed' ? ({ state: 'ready', value: stored } as const) : result
  return (
    <div className="grid gap-4">
      <BackLink to={t('All orders')} {...viewLink(listQuery)} />
      <Loaded state={state} label={t('order')} onRetry={reload}>
        {order => <Detail order={order} />}
      </Loaded>
    </div>
  )
}

function Detail({ order }: { order: StaffOrder }) {
  const may = useMay()
  const { _id, orderNumber, createdAt, status } = order
  // The kitchen sees no prices, payments and email addresses.
  const full = 'totalAmount' in order ? order : undefined
  return (
    <article aria-labelledby="order" className="card grid gap-4 p-4 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <FocusedHeading id="order">{t('Order {number}', { number: orderNumber })}</FocusedHeading>
          <Note>{t('Ordered on {day}', { day: formatDate(createdAt) })}</Note>
          {order.isTest && <p className="mt-1 font-semibold">{ADMIN_MESSAGES.testOrder}</p>}
        </div>
        <p role="status">
          <StatusBadge order={order} />
        </p>
      </div>
      <Timeline order={order} />
      {full && <OrderChanges order={full} />}
      {full && <Reversals order={full} />}
      {full?.refunds && full.refunds.due > 0 && (
        <FailedRefund order={full} due={full.refunds.due} />
      )}
      {!full && order.isOnHold && <b>{ADMIN_MESSAGES.orderOnHoldInKitchen}</b>}
      <div className="flex flex-wrap gap-3">
        <StatusButton order={order} primary />
        {order.status === 'shipped' && !order.isAnonymised && <ChangeTracking order={order} />}
        {hasParcel(order) && (
          <>
            <ButtonLink label={t('Packing list')} {...printLink('packing', [_id])} />
            <ButtonLink label={t('Label||print')} {...printLink('labels', [_id])} />
          </>
        )}
        {full?.invoiceNumber && (
          <ButtonLink label={t('Invoice')} {...printLink('invoices', [_id])} />
        )}
        {full && <OrderActions order={full} />}
      </div>
      {full ? (
        <OrderDetails order={full}>
          <Customer order={full} />
          {full.deliveryZone !== undefined && (
            <Fact term={t('Delivery place')}>{full.deliveryZone}</Fact>
          )}
          {full.invoiceNumber && (
            <Fact
              term={t('Invoice')}
              lines={[
                full.invoiceNumber,
                ...listCreditNotes(full).map(number => t('Credit note {number}', { number }))
              ]}
            />
          )}
          {!full.isAnonymised && <OrderLinkFact order={full} call="POST /admin/orders/{id}/link" />}
        </OrderDetails>
      ) : (
        <>
          <ItemsToPack items={order.items} />
          <dl className="grid gap-4 sm:grid-cols-2">
            <Fact term={t('Delivery')}>{formatDelivery(order)}</Fact>
            <Wishes order={order} />
            <Customer order={order} />
          </dl>
        </>
      )}
      {may('GET /admin/audit') && (
        <ChangeHistory
          key={`${status} ${full?.version ?? ''}`}
          kinds={['order']}
          id={_id}
          labels={FIELD_LABELS}
          format={formatField}
        />
      )}
    </article>
  )
}

const FIELD_LABELS = texts({
  status: 'Status',
  courier: 'Courier',
  reason: 'Reason',
  items: 'Items',
  deliveryDate: 'Delivery date',
  refund: 'Refund',
  phone: 'Phone number',
  address: 'Address'
})

const formatField = fieldFormatter({
  status: (status: keyof typeof STATUS_LABELS) => STATUS_LABELS[status]
})

function Customer({ order }: { order: StaffOrder }) {
  if (order.isAnonymised)
    return <Fact term={t('Customer')}>{t('This customer deleted their account.')}</Fact>
  const { customerDetails, shippingAddress } = order
  const { name, phone } = customerDetails
  const isPickup = order.deliveryMethod === 'pickup'
  const recipient = recipientOf(order)
  return (
    <>
      <Fact
        term={t(isPickup ? 'Picked up by' : 'Deliver to')}
        lines={[recipient, ...(isPickup ? [] : toAddressLines(shippingAddress))]}
      />
      <Fact term={t('Contact')}>
        {recipient !== name && <span className="block break-words">{name}</span>}
        <a href={`tel:+91${phone}`} className="link target">
          {formatPhone(phone)}
        </a>
        {'totalAmount' in order && (
          <>
            <br />
            <a href={`mailto:${order.customerDetails.email}`} className="link target break-all">
              {order.customerDetails.email}
            </a>
            <br />
            <ButtonLink
              look="link"
              label={t('All orders of this customer')}
              {...viewLink({ user: order.userId })}
            />
          </>
        )}
      </Fact>
    </>
  )
}

type Reversal = AdminOrder['reversals'][number]

const REVERSALS: Record<Reversal['kind'], Record<Reversal['state'], string>> = {
  refund: {
    pending: text('Refund at Razorpay: {amount}, not finished yet'),
    returned: text('Refund at Razorpay: {amount}, refunded'),
    void: text('Refund at Razorpay: {amount}, failed')
  },
  dispute: {
    pending: text('Dispute at Razorpay: {amount}, open'),
    returned: text('Dispute at Razorpay: {amount}, lost'),
    void: text('Dispute at Razorpay: {amount}, won or closed')
  }
}

function FailedRefund({ order, due }: { order: AdminOrder; due: number }) {
  const may = useMay()
  const amount = formatRupees(due)
  return (
    <Alert id="failed-refund" title={t('Refund failed')}>
      <p>{t('Razorpay did not refund {amount}. The customer still has to get it.', { amount })}</p>
      {may('POST /admin/unmatched-payments/{id}') ? (
        <p className="flex flex-wrap gap-3">
          {order.razorpay_payment_id && (
            <Button
              label={t('Refund {amount} again', { amount })}
              onClick={() => void toastOrderErrors(order, () => retryRefund(order))}
            />
          )}
          <ButtonLink label={t('See failed refunds')} {...viewLink('')} />
        </p>
      ) : (
        <p>{t('Only an owner can try again or mark the refund as done.')}</p>
      )}
    </Alert>
  )
}

function Alert({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-card border-2 border-chilli p-4">
      <h3 id={id} className="font-semibold text-chilli">
        {title}
      </h3>
      {children}
    </section>
  )
}

function Reversals({ order }: { order: AdminOrder }) {
  const { reversals, orderNumber, isOnHold, refunds } = order
  const may = useMay()
  if (reversals.length === 0) return null
  return (
    <Alert id="reversals" title={t(isOnHold ? 'On hold' : 'Reported by Razorpay')}>
      <ul>
        {reversals.map(({ id, kind, amount, state }) => (
          <li key={id}>
            <b>{t(REVERSALS[kind][state], { amount: formatRupees(amount) })}</b>{' '}
            <span className="break-all text-sm text-ink/70">{id}</span>
          </li>
        ))}
      </ul>
      {refunds && refunds.surplus > 0 && (
        <p>
          {t('{amount} more has gone back than the credit notes say.', {
            amount: formatRupees(refunds.surplus)
          })}
        </p>
      )}
      {isOnHold && (
        <>
          <p>
            {t('Check this before you pack or deliver the order. If it may go on, acknowledge it.')}
          </p>
          <p>
            {may('POST /admin/orders/{id}/acknowledge') ? (
              <Button
                label={t('Acknowledge')}
                aria-label={t('Acknowledge: order {number} may go on', { number: orderNumber })}
                onClick={() => void toastOrderErrors(order, () => acknowledgeReversals(order))}
              />
            ) : (
              t('Only an owner can acknowledge this.')
            )}
          </p>
        </>
      )}
    </Alert>
  )
}

interface ItemsToPackProps extends Pick<StaffOrder, 'items'> {
  hasBoxes?: boolean
}

export function ItemsToPack({ items, hasBoxes }: ItemsToPackProps) {
  return (
    <ul className="mt-2">
      {items.map(({ product, packSize, quantity }, index) => (
        <li key={index} className="flex items-center gap-3 py-1">
          {hasBoxes && <span aria-hidden="true" className="size-5 shrink-0 border-2 border-ink" />}
          <span className="min-w-0 break-words">
            <b>{quantity} ×</b> {product.name}
            {packSize && <span className="text-ink/70"> {formatPack(packSize)}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
