import { useStore } from '@nanostores/react'
import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/contract/formats.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { nextStatus } from '#lib/admin/orders.ts'
import type { DeliveryMethod } from '#lib/contract/names.ts'
import { plural, t } from '#lib/contract/texts.ts'
import { isAllPacked, toMapLink } from '#lib/kitchen/day.ts'
import { formatRupees } from '#lib/money.ts'
import { giftLines, recipientOf, STATUS_LABELS } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { $failedTicks, type DayOrder, setPacked } from '#lib/stores/admin/kitchen-day.ts'
import { setOrderStatus, toastOrderErrors } from '#lib/stores/admin/orders.ts'
import { formatDayAndTime, formatShortDay, fromIndianDateTime } from '#lib/time.ts'
import { StatusBadge } from '../../orders/OrderParts.tsx'
import { Button } from '../../ui/Button.tsx'
import { Lines } from '../../ui/Facts.tsx'
import { toQuery } from '../../ui/history.ts'

export function PackList({ orders }: { orders: readonly DayOrder[] }) {
  return (
    <ul className="grid gap-3 md:grid-cols-2 print:block print:columns-2 print:gap-6">
      {orders.map(order => (
        <OrderToPack key={order._id} order={order} />
      ))}
    </ul>
  )
}

function OrderToPack({ order }: { order: DayOrder }) {
  const failed = useStore($failedTicks)
  const { _id, orderNumber, status, lines } = order
  const isDone = status !== 'pending'
  return (
    <li
      className={
        'card flex break-inside-avoid flex-col p-4 print:mb-3 print:rounded-none ' +
        'print:border-t print:border-ink print:p-0 print:pt-1 print:shadow-none'
      }
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <h3 className="min-w-0 break-words">
          <a href={`${paths.adminOrders}${toQuery({ order: _id })}`} className="link font-semibold">
            {orderNumber}
          </a>{' '}
          {nameOf(order)}
        </h3>
        <span className="print:hidden">
          <StatusBadge order={order} />
        </span>
      </div>
      <OrderRemarks order={order} />
      <ul className="mb-2">
        {lines.map(line => (
          <li key={line.n}>
            <label className="flex min-h-target cursor-pointer items-center gap-3 print:min-h-0">
              <input
                type="checkbox"
                className="h-6 w-6 shrink-0 accent-chilli print:h-4 print:w-4"
                checked={isDone || line.isPacked}
                disabled={isDone}
                onChange={() => setPacked(order, [line], !line.isPacked)}
              />
              <span
                className={`min-w-0 break-words ${isDone || line.isPacked ? 'text-ink/70' : ''}`}
              >
                <b>{line.quantity} ×</b> {line.product.name}{' '}
                <span className="text-ink/70">{formatPack(line.packSize)}</span>
                {failed.some(tick => tick.order === _id && tick.n === line.n) && (
                  <b className="block text-sm text-chilli">{t('Not saved yet')}</b>
                )}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <OrderButton order={order} />
    </li>
  )
}

function OrderButton({ order }: { order: DayOrder }) {
  const { orderNumber, lines, status, isOnHold, isAnonymised } = order
  if (isOnHold) return <b className="text-chilli">{ADMIN_MESSAGES.orderOnHoldInKitchen}</b>
  const next = nextStatus(order)
  if (isAnonymised || (status !== 'pending' && next !== 'ready')) return null
  const isDone = isAllPacked(order)
  const after = STATUS_LABELS[next === 'ready' ? 'ready' : 'packed'].toLowerCase()
  const label = isDone ? t('Mark as {status}', { status: after }) : t('Tick all')
  if (next === undefined || (!isDone && lines.length === 1)) return null
  const act = () =>
    isDone
      ? void toastOrderErrors(order, () => setOrderStatus(order, next))
      : setPacked(order, lines, true)
  return (
    <Button
      look={isDone ? 'primary' : 'quiet'}
      label={label}
      aria-label={t('{action}: order {number}', { action: label, number: orderNumber })}
      className="mt-auto print:hidden"
      onClick={act}
    />
  )
}

interface StopListProps {
  orders: readonly DayOrder[]
  method: DeliveryMethod
}

export function StopList({ orders, method }: StopListProps) {
  return (
    <ol className="card divide-y divide-brass/40 px-4 print:px-0 print:shadow-none">
      {orders.map(order => (
        <Stop key={order._id} order={order} method={method} />
      ))}
    </ol>
  )
}

function Stop({ order, method }: { order: DayOrder; method: DeliveryMethod }) {
  const { customerDetails, shippingAddress, lines, totalAmount, deliveryDate, isAnonymised } = order
  const packs = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  // The last line is the country.
  const address = toAddressLines(shippingAddress).slice(0, -1).join(', ')
  return (
    <li
      className={
        'flex break-inside-avoid flex-wrap gap-x-3 py-3 sm:flex-nowrap print:flex-nowrap ' +
        'print:py-1'
      }
    >
      <span
        aria-hidden="true"
        className="mt-1 hidden h-4 w-4 shrink-0 border border-ink print:block"
      />
      <div className="min-w-0 grow basis-full sm:basis-auto print:basis-auto">
        <p className="break-words">
          <b>{nameOf(order)}</b> · {order.orderNumber} ·{' '}
          {plural(packs, '{count} pack', '{count} packs')}
        </p>
        {method !== 'pickup' && !isAnonymised && <p className="break-words">{address}</p>}
        {method === 'courier' && deliveryDate !== null && (
          <p>{t('Arrives {day}', { day: formatShortDay(deliveryDate) })}</p>
        )}
        <OrderRemarks order={order} />
      </div>
      <div
        className={
          'flex flex-wrap items-center gap-x-4 sm:shrink-0 sm:flex-col sm:items-end sm:text-right ' +
          'print:flex-col print:items-end print:text-right'
        }
      >
        {customerDetails.phone !== '' && (
          <a
            href={`tel:+91${customerDetails.phone}`}
            className="link target print:min-h-0 sm:whitespace-nowrap"
          >
            {formatPhone(customerDetails.phone)}
          </a>
        )}
        {method === 'own' && !isAnonymised && (
          <a
            href={toMapLink(shippingAddress)}
            target="_blank"
            rel="noreferrer"
            className="link target print:hidden"
          >
            {t('Map')}
            <span className="sr-only">: {customerDetails.name}</span>
          </a>
        )}
        {totalAmount !== undefined && !order.isTest && !order.gift && (
          <span>{t('Paid {amount}', { amount: formatRupees(totalAmount) })}</span>
        )}
      </div>
    </li>
  )
}

function nameOf(order: DayOrder) {
  return order.isAnonymised ? t('Deleted account') : recipientOf(order)
}

function OrderRemarks({ order: { note, eventAt, gift, isTest } }: { order: DayOrder }) {
  const event = eventAt === undefined ? undefined : fromIndianDateTime(eventAt)
  return (
    <>
      {event !== undefined && (
        <p className="font-semibold">{t('Event: {time}', { time: formatDayAndTime(event) })}</p>
      )}
      {note !== undefined && <p className="break-words italic">“{note}”</p>}
      <GiftMark gift={gift} />
      {isTest && <p className="text-sm font-semibold">{t('Test order')}</p>}
    </>
  )
}

export function GiftMark({ gift }: Pick<DayOrder, 'gift'>) {
  const [mark, ...message] = giftLines(gift)
  if (mark === undefined) return null
  return (
    <div className="my-1 border-2 border-ink px-2 py-1">
      <b className="block break-words">{mark}</b>
      <Lines lines={message} />
    </div>
  )
}
