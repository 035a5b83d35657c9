import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatPhone } from '#lib/contract/formats.ts'
import { onVisible } from '#lib/browser.ts'
import { langOf, t } from '#lib/contract/texts.ts'
import type { Order } from '#lib/contract/orders.ts'
import { formatRupees } from '#lib/money.ts'
import {
  aboutOrderText,
  CANCEL_BLOCK_TEXTS,
  formatItem,
  listCreditNotes,
  toCancelRefund,
  toPaymentLabel,
  toStatusText
} from '#lib/order.ts'
import { creditNotePath, invoicePath, paths, toLoginPath } from '#lib/paths.ts'
import { $orders, buyAgain, cancelOrder, loadOrders } from '#lib/stores/orders.ts'
import { formatDate, LOGIN_REDIRECT_DELAY } from '#lib/time.ts'
import { useGuard } from '../ui/hooks.ts'
import { Button, ButtonLink, WhatsAppLink } from '../ui/Button.tsx'
import { ConfirmButton } from '../ui/Buttons.tsx'
import {
  ContactLine,
  Destination,
  ItemPicture,
  OrderChanges,
  OrderDetails,
  type ShopContact,
  StatusBadge,
  Timeline,
  Tracking
} from './OrderParts.tsx'
import { OrderLinkFact } from './OrderLink.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { AlertState, EmptyState, LoadFailed, Loading } from '../ui/States.tsx'
import { Fact, Lines } from '../ui/Facts.tsx'
import { MESSAGES } from '#lib/messages.ts'

export function OrdersPage({ shop }: { shop: ShopContact }) {
  const session = useGuard({ redirectDelay: LOGIN_REDIRECT_DELAY })
  return (
    <div className="mx-auto max-w-3xl pb-12">
      <h1 className="py-6 text-2xl sm:text-3xl">{t('My Orders')}</h1>
      {session.state === 'loading' && <Loading text={MESSAGES.profileLoading} />}
      {session.state === 'anonymous' && (
        <AlertState text={t('Please log in to view your orders.')}>
          <ButtonLink look="primary" label={t('Login')} href={toLoginPath(paths.orders)} />
        </AlertState>
      )}
      {session.state === 'authenticated' && <Orders key={session.user._id} shop={shop} />}
    </div>
  )
}

function Orders({ shop }: { shop: ShopContact }) {
  const orders = useStore($orders)
  useEffect(() => {
    void loadOrders()
    return onVisible(loadOrders)
  }, [])

  if (orders.state === 'loading') return <Loading text={MESSAGES.profileLoading} />
  if (orders.state === 'failed')
    return <LoadFailed text={orders.error.message} onRetry={() => void loadOrders()} />
  if (orders.value.length === 0) {
    return (
      <EmptyState text={t('No orders found.')}>
        <ButtonLink look="primary" label={t('See our products')} href={paths.products} />
      </EmptyState>
    )
  }
  return (
    <ul className="grid gap-6">
      {orders.value.map(order => (
        <li key={order._id}>
          <OrderCard order={order} shop={shop} />
        </li>
      ))}
    </ul>
  )
}

function OrderCard({ order, shop }: { order: Order; shop: ShopContact }) {
  const { orderNumber, createdAt, status, items, shipment, totalAmount, customerDetails } = order
  const names = items.map(formatItem).join(', ')
  const title = t('Order {number}', { number: orderNumber })
  return (
    <article aria-label={title} className="card p-4 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h2 className="text-lg">{title}</h2>
          <p className="text-sm text-ink/70">
            {t('Ordered on {day}', { day: formatDate(createdAt) })}
          </p>
        </div>
        <StatusBadge order={order} />
      </div>
      <p className="mt-3">{toStatusText(order)}</p>
      {status === 'cancelled' && <p className="font-semibold">{toPaymentLabel(order)}</p>}
      {status === 'shipped' && shipment && (
        <p>
          <Tracking shipment={shipment} />
        </p>
      )}
      {status === 'ready' && (
        <p>
          <Lines lines={shop.pickupPlace} />
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {items.map(({ product }, index) => (
          <ItemPicture key={index} product={product} />
        ))}
      </div>
      <p lang={langOf(names)} className="mt-1">
        {names}
      </p>
      <p className="mt-1 text-lg font-semibold">{formatRupees(totalAmount)}</p>
      <div className="mt-4">
        <Timeline order={order} />
      </div>
      {order.changes && (
        <div className="mt-4">
          <OrderChanges order={order} />
        </div>
      )}
      <div className="mt-4">
        <Disclosure title={t('Details')}>
          {() => (
            <OrderDetails order={order}>
              <Destination order={order} shop={shop} />
              <Fact
                term={t('Contact||details')}
                lines={[formatPhone(customerDetails.phone), customerDetails.email]}
              />
              <OrderLinkFact order={order} call="POST /orders/{id}/link" />
            </OrderDetails>
          )}
        </Disclosure>
      </div>
      <Actions order={order} shop={shop} />
      {order.cancelBlock && (
        <div className="mt-4 text-sm">
          <p>{CANCEL_BLOCK_TEXTS[order.cancelBlock]}</p>
          <ContactLine
            question={t('Need a change?')}
            message={aboutOrderText(orderNumber)}
            shop={shop}
          />
        </div>
      )}
    </article>
  )
}

function Actions({ order, shop }: { order: Order; shop: ShopContact }) {
  const { _id, orderNumber, language, invoiceNumber, canCancel, cancelBlock } = order
  const [isLeaving, setIsLeaving] = useState(false)
  // The dialog must still say why, although the reloaded order can't be cancelled.
  const [isRefused, setIsRefused] = useState(false)
  const orderAgain = async () => {
    if (isLeaving) return
    setIsLeaving(true)
    addEventListener('pageshow', () => setIsLeaving(false), { once: true })
    if (await buyAgain(order)) location.assign(paths.cart)
    else setIsLeaving(false)
  }
  return (
    <div className="flex flex-wrap gap-3 border-t border-brass/40 pt-4">
      <Button
        label={t('Buy again')}
        aria-label={t('Buy again: order {number}', { number: orderNumber })}
        busy={isLeaving}
        onClick={() => void orderAgain()}
      />
      {invoiceNumber && (
        <ButtonLink
          label={t('Invoice')}
          href={invoicePath(_id, language)}
          aria-label={t('Invoice of order {number}', { number: orderNumber })}
        />
      )}
      {listCreditNotes(order).map(number => (
        <ButtonLink
          key={number}
          label={t('Credit note')}
          href={creditNotePath(_id, number, language)}
          aria-label={t('Credit note {number} of order {order}', { number, order: orderNumber })}
        />
      ))}
      {(canCancel || isRefused) && (
        <CancelOrder order={order} onRefused={() => setIsRefused(true)} />
      )}
      {!cancelBlock && (
        <WhatsAppLink
          phone={shop.whatsapp}
          message={aboutOrderText(orderNumber)}
          label={t('Ask by WhatsApp')}
          aria-label={t('Ask by WhatsApp about order {number}', { number: orderNumber })}
        />
      )}
    </div>
  )
}

function CancelOrder({ order, onRefused }: { order: Order; onRefused: () => void }) {
  const { _id, orderNumber } = order
  const cancel = async () => {
    try {
      await cancelOrder(_id)
    } catch (error) {
      onRefused()
      void loadOrders()
      throw error
    }
  }
  return (
    <ConfirmButton
      label={t('Cancel order')}
      name={t('Cancel order {number}', { number: orderNumber })}
      look="link"
      title={t('Cancel this order?')}
      confirmLabel={t('Cancel order')}
      cancelLabel={t('Keep order')}
      busyLabel={t('Cancelling…')}
      errorTitle={t('The order was not cancelled.')}
      onConfirm={cancel}
    >
      {t(
        'We’ll cancel order {number} and refund {amount} to your original payment method ' +
          'in 5–8 days.',
        { number: orderNumber, amount: formatRupees(toCancelRefund(order)) }
      )}
    </ConfirmButton>
  )
}
