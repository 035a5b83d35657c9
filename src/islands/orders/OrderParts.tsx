import { type ReactNode, useId } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import type { OrderStatus } from '#lib/constants.ts'
import { langOf, t } from '#lib/contract/texts.ts'
import type { LinkedOrder, Order, Shipment } from '#lib/contract/orders.ts'
import { formatPaise, formatRupees, fromRupees, multiply } from '#lib/money.ts'
import {
  formatDelivery,
  giftLines,
  listChangeTexts,
  listRefundTexts,
  listTimelineSteps,
  toInvoicedTotal,
  toPaymentLabel,
  toStatusLabel
} from '#lib/order.ts'
import { formatDayAndTime, formatIndianTime } from '#lib/time.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { toPhoneLink } from '#lib/settings.ts'
import type { CheckoutShop } from '#lib/checkout/checkout-form.ts'
import { Picture } from '../ui/Picture.tsx'
import { Fact } from '../ui/Facts.tsx'
import { ButtonLink, Icon, WhatsAppLink } from '../ui/Button.tsx'

const STOPPED: readonly OrderStatus[] = ['cancelled', 'expired']

/** An order, or what its link shows. */
type ShownOrder = LinkedOrder & Partial<Omit<Order, keyof LinkedOrder>>

export function OrderDetails({ order, children }: { order: ShownOrder; children: ReactNode }) {
  const { razorpay_payment_id: payment } = order
  return (
    <div className="grid gap-4">
      <OrderItems order={order} />
      <dl className="grid gap-4 sm:grid-cols-2">
        {!STOPPED.includes(order.status) && (
          <Fact term={t('Delivery')}>{formatDelivery(order)}</Fact>
        )}
        <Wishes order={order} />
        <Fact term={t('Payment')} lines={[toPaymentLabel(order), ...listRefundTexts(order)]}>
          {payment && <span className="block break-words text-sm text-ink/70">{payment}</span>}
        </Fact>
        {children}
      </dl>
    </div>
  )
}

export function Destination({ order, shop }: { order: ShownOrder; shop: ShopContact }) {
  const { deliveryMethod, customerDetails, shippingAddress } = order
  return deliveryMethod === 'pickup' ? (
    <Fact term={t('Pickup at')} lines={shop.pickupPlace} />
  ) : (
    <Fact
      term={t('Deliver to')}
      lines={[customerDetails?.name ?? [], toAddressLines(shippingAddress)].flat()}
    />
  )
}

type Wished = Pick<Order, 'shipment' | 'eventAt' | 'note' | 'gift'>

export function Wishes({ order: { shipment, eventAt, note, gift } }: { order: Wished }) {
  return (
    <>
      {shipment && (
        <Fact term={t('Courier')}>
          <Tracking shipment={shipment} />
        </Fact>
      )}
      {eventAt !== undefined && <Fact term={t('Event')}>{formatIndianTime(eventAt)}</Fact>}
      {note !== undefined && <Fact term={t('Note')} lines={note.split('\n')} />}
      {gift && <Fact term={t('Gift')} lines={giftLines(gift)} />}
    </>
  )
}

export function Tracking({
  shipment: { courier, trackingNumber, trackingLink }
}: {
  shipment: Shipment
}) {
  return (
    <>
      {courier}
      {trackingNumber !== '' && (
        <span className="block [overflow-wrap:anywhere]">
          {t('Tracking number {number}', { number: trackingNumber })}
        </span>
      )}
      {trackingLink !== '' && (
        <a href={trackingLink} target="_blank" rel="noreferrer" className="link target">
          {t('Track the parcel')}
        </a>
      )}
    </>
  )
}

const SUM = 'flex flex-wrap justify-between gap-x-4 border-t border-brass/40'

export function OrderItems({
  order,
  totalLabel = t('Total')
}: {
  order: ShownOrder
  totalLabel?: string
}) {
  const { items, coupon, deliveryFee, refundedAmount, totalAmount } = order
  return (
    <div>
      <ul>
        {items.map(item => (
          <OrderItem key={`${item.product._id} ${item.discount ?? ''}`} item={item} />
        ))}
      </ul>
      {coupon && (
        <p className={`${SUM} py-3`}>
          <span className="[overflow-wrap:anywhere]">
            {t('Coupon {code}', { code: coupon.code })}
          </span>
          <span className="text-leaf">−{formatRupees(coupon.discount)}</span>
        </p>
      )}
      {deliveryFee !== undefined && (
        <p className={`${SUM} py-3`}>
          {t('Delivery')} <span>{formatRupees(deliveryFee)}</span>
        </p>
      )}
      {refundedAmount !== undefined && (
        <p className={`${SUM} py-3`}>
          {t('Refunded')} <span className="text-leaf">−{formatRupees(refundedAmount)}</span>
        </p>
      )}
      <p className={`${SUM} pt-3 font-semibold`}>
        {totalLabel} <span>{formatRupees(totalAmount)}</span>
      </p>
    </div>
  )
}

function OrderItem({ item }: { item: LinkedOrder['items'][number] }) {
  const { product, packSize, quantity, price, listPrice, discount } = item
  return (
    <li className="flex items-center gap-4 py-3">
      <ItemPicture product={product} />
      <div className="min-w-0 grow">
        <p lang={langOf(product.name)} className="break-words font-semibold">
          {product.name}
        </p>
        <p className="text-sm text-ink/70">
          {packSize && `${formatPack(packSize)} · `}
          {quantity} × {formatRupees(price)}
          {price < listPrice && (
            <>
              {' '}
              <s>{formatRupees(listPrice)}</s>
            </>
          )}
          {discount !== undefined && (
            <span className="font-semibold text-leaf">
              {' '}
              {t('{percent}% off', { percent: discount })}
            </span>
          )}
        </p>
      </div>
      <p>{formatPaise(multiply(fromRupees(price), quantity))}</p>
    </li>
  )
}

export function ItemPicture({ product }: Pick<Order['items'][number], 'product'>) {
  return (
    <div className="size-14 shrink-0 empty:hidden">
      <Picture
        picture={product.picture}
        image={product.image}
        sizes="56px"
        maxWidth={480}
        className="size-14 rounded-xl object-cover"
      />
    </div>
  )
}

const COLORS: Partial<Record<OrderStatus, string>> = {
  pending: 'bg-status-pending',
  packed: 'bg-status-packed',
  delivered: 'bg-status-delivered'
}

export function StatusBadge({ order }: { order: Pick<Order, 'status' | 'deliveryMethod'> }) {
  const { status } = order
  const color = COLORS[status] ?? 'bg-status-other'
  return (
    <span
      data-status={status}
      className={`inline-block rounded-full px-3 py-1 text-sm font-semibold ${color}`}
    >
      {toStatusLabel(status, order)}
    </span>
  )
}

function StepMark({ status, isDone }: { status: OrderStatus; isDone: boolean }) {
  const isStopped = STOPPED.includes(status)
  const done = isStopped ? 'bg-ink/70 text-paper' : 'bg-leaf text-paper'
  const colours = isDone ? done : 'border border-ink/50'
  return (
    <span className={`grid size-6 shrink-0 place-items-center rounded-full ${colours}`}>
      {isDone && <Icon name={isStopped ? 'close' : 'check'} className="h-4 w-4" />}
    </span>
  )
}

export function OrderChanges({ order }: { order: Order }) {
  const { changes = [] } = order
  const heading = useId()
  if (changes.length === 0) return null
  return (
    <section aria-labelledby={heading} className="rounded-card bg-cream-deep p-4">
      <h3 id={heading} className="font-semibold">
        {t('Changes')}
      </h3>
      <ul className="mt-2 grid gap-3">
        {changes.map((change, index) => (
          <li key={index}>
            <span className="text-sm text-ink/70">{formatDayAndTime(change.at)}</span>
            {listChangeTexts(change, toInvoicedTotal(order)).map((text, line) => (
              <span key={line} className="block">
                {text}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Timeline({
  order
}: {
  order: Pick<Order, 'history' | 'status' | 'deliveryMethod'>
}) {
  return (
    <ol aria-label={t('Progress')} className="grid gap-3 sm:grid-flow-col sm:auto-cols-fr">
      {listTimelineSteps(order).map(({ status, at }, index) => (
        <li key={index} className={`flex items-start gap-2 ${at ? '' : 'text-ink/70'}`}>
          <StepMark status={status} isDone={at !== undefined} />
          <span>
            <b className="block">{toStatusLabel(status, order)}</b>
            {at && <span className="text-sm">{formatDayAndTime(at)}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

export type ShopContact = Pick<
  CheckoutShop,
  'phone' | 'whatsapp' | 'email' | 'hours' | 'pickupPlace'
>

interface ContactLineProps {
  question?: string
  /** What the shopper sends by WhatsApp. */
  message?: string | undefined
  shop: ShopContact
}

export function ContactLine({
  question = t('Questions?'),
  message,
  shop: { phone, whatsapp, email, hours }
}: ContactLineProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-sm [overflow-wrap:anywhere]">
      {question}
      {phone !== '' && <ButtonLink look="link" label={phone} href={toPhoneLink(phone)} />}
      {phone !== '' && hours}
      <WhatsAppLink phone={whatsapp} message={message} />
      <ButtonLink
        look="link"
        label={email || t('Write to us')}
        href={email ? `mailto:${email}` : paths.contact}
      />
    </p>
  )
}
