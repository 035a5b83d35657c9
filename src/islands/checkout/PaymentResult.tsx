import { type ReactNode, useEffect, useRef, useState } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { api } from '#lib/api.ts'
import { DRAWN, KOLAM } from '#lib/art/icons.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { rich, t, texts } from '#lib/contract/texts.ts'
import type { Order } from '#lib/contract/orders.ts'
import { MESSAGES } from '#lib/messages.ts'
import { aboutOrderText, formatDelivery, listNextSteps } from '#lib/order.ts'
import { invoicePath, paths, paymentPath, toLoginPath } from '#lib/paths.ts'
import { saveProfile } from '#lib/stores/account.ts'
import { closePayment, reopenPayment } from '#lib/stores/payment.ts'
import type { Payment } from '#lib/checkout/payment.ts'
import { useLoad, useSession } from '../ui/hooks.ts'
import {
  ContactLine,
  Destination,
  OrderItems,
  type ShopContact,
  Wishes
} from '../orders/OrderParts.tsx'
import { Button, ButtonLink, Icon } from '../ui/Button.tsx'
import { ActionButton } from '../ui/Buttons.tsx'
import { Fact } from '../ui/Facts.tsx'
import { StillWaiting } from '../ui/States.tsx'
import { useProfile } from './CheckoutForm.tsx'

const TEXTS = texts({
  paymentPending:
    'Your order will appear here and under My Orders. ' +
    'If we can’t place it, you get a full refund.',
  paymentCheckingTitle: 'We are checking your payment'
})

export function OrderPlaced({ order, shop }: { order: Order; shop: ShopContact }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [status] = useLoad('status', () => api('GET /status'))
  const sendsMail = status.state === 'ready' && status.value.sendsMail
  useEffect(() => {
    heading.current?.focus()
    scrollTo({ top: 0, behavior: 'instant' })
    const cartTitle = document.title
    document.title = cartTitle.replace(/^[^|]+/, `${t('Order placed')} `)
    return () => void (document.title = cartTitle)
  }, [])
  return (
    <div className="mx-auto max-w-prose pb-12">
      <div className="flex flex-col items-center gap-3 pb-8 pt-16 text-center sm:pt-8">
        <div className="grid place-items-center">
          <img {...KOLAM} className={`h-40 w-40 [grid-area:1/1] ${DRAWN}`} />
          <span className="grid size-12 place-items-center rounded-full bg-leaf text-paper [grid-area:1/1]">
            <Icon name="check" className="size-6" />
          </span>
        </div>
        <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none sm:text-3xl">
          {CHECKOUT_MESSAGES.orderPlaced}
        </h1>
        <p>
          {rich('Your order number is {number}.', {
            number: (
              <b key="number" className="inline-block">
                {order.orderNumber}
              </b>
            )
          })}
        </p>
        <p className={`[overflow-wrap:anywhere] ${status.state === 'ready' ? '' : 'invisible'}`}>
          {status.state === 'ready' && !sendsMail
            ? t('Please note this number: we can’t send emails at the moment.')
            : rich('We’ve sent a confirmation to {email}.', {
                email: <b key="email">{order.customerDetails.email}</b>
              })}
        </p>
      </div>
      <section className="card p-4 sm:p-6">
        <h2 className="text-xl">{t('What happens next')}</h2>
        <ol className="mt-3 grid list-decimal gap-2 pl-6">
          {listNextSteps(order, sendsMail).map(step => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <h2 className="mt-6 text-xl">{t('Your order')}</h2>
        <OrderItems order={order} totalLabel={t('Total paid')} />
        <dl className="mt-6 grid gap-4 sm:grid-cols-2">
          <Fact term={t('Delivery')}>{formatDelivery(order)}</Fact>
          <Destination order={order} shop={shop} />
          <Wishes order={order} />
        </dl>
      </section>
      <div className="flex flex-wrap justify-center gap-3 py-6 print:hidden">
        <ButtonLink look="primary" label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />
        {order.invoiceNumber !== null && (
          <ButtonLink label={t('Invoice')} href={invoicePath(order._id)} />
        )}
        <ButtonLink label={MESSAGES.cartContinue} href={paths.products} onClick={closePayment} />
        <Button look="link" label={t('Print this page')} className="px-2" onClick={() => print()} />
      </div>
      {order.deliveryMethod !== 'pickup' && <SaveAddress order={order} />}
      <div className="flex justify-center">
        <ContactLine message={aboutOrderText(order.orderNumber)} shop={shop} />
      </div>
    </div>
  )
}

function SaveAddress({ order: { customerDetails, shippingAddress } }: { order: Order }) {
  const { profile } = useProfile(useSession())
  const [saved, setSaved] = useState(false)

  if (saved) return <p role="status">{t('Address saved')}</p>
  if (profile.state !== 'ready') return null
  const { landmark: _landmark, ...address } = shippingAddress
  const isInProfile =
    toAddressLines(profile.value.address).join() === toAddressLines(address).join()
  if (isInProfile) return null
  return (
    <section aria-label={t('Address')} className="card p-4 sm:p-6 print:hidden">
      <ActionButton
        label={t('Save address')}
        busyLabel={t('Saving…')}
        errorTitle={MESSAGES.profileNotSaved}
        action={async () => {
          const { name, phone: phoneNumber } = customerDetails
          await saveProfile({ name, phoneNumber, address })
          setSaved(true)
        }}
      >
        {t('Save this address for next time?')}
      </ActionButton>
    </section>
  )
}

interface Progress {
  title: string
  lines: readonly string[]
  isWaiting?: boolean
  next?: ReactNode
}

const OrdersLink = () => <ButtonLink label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />

/** Undefined in the states that are shown beside the cart. */
export function describeProgress(payment: Payment): Progress | undefined {
  switch (payment.status) {
    case 'checking':
      return {
        title: TEXTS.paymentCheckingTitle,
        lines: [
          t('Your bank has not confirmed the payment yet. Please don’t pay again.'),
          TEXTS.paymentPending
        ],
        isWaiting: true,
        next: <OrdersLink />
      }
    case 'unconfirmed':
      return {
        title: t('Payment successful, but failed to finalize order.'),
        lines: [
          payment.reason,
          t('Please don’t pay again. We’re still checking.'),
          TEXTS.paymentPending
        ],
        isWaiting: true,
        next: <OrdersLink />
      }
    case 'loadingOrder':
      return {
        title: TEXTS.paymentCheckingTitle,
        lines: [CHECKOUT_MESSAGES.paymentLoading],
        isWaiting: true
      }
    case 'syncFailed': {
      const retry = () => void reopenPayment(payment.orderId)
      return {
        title: TEXTS.paymentCheckingTitle,
        lines: [payment.reason, CHECKOUT_MESSAGES.paymentSyncFailed],
        next: <Button look="primary" label={t('Try again')} onClick={retry} />
      }
    }
    case 'loginRequired': {
      const loginPath = toLoginPath(paymentPath(payment.orderId))
      return {
        title: t('Please log in to see this order'),
        lines: [t('If you have paid, your order is saved under My Orders.')],
        next: <ButtonLink look="primary" label={t('Login')} href={loginPath} />
      }
    }
    case 'refunded':
      return {
        title: t('Your payment is being refunded'),
        lines: [payment.reason],
        next: <Button look="primary" label={t('Back to cart')} onClick={closePayment} />
      }
    default:
      return undefined
  }
}

interface PaymentProgressProps extends Progress {
  status: Payment['status']
  shop: ShopContact
}

export function PaymentProgress(props: PaymentProgressProps) {
  const { status, title, lines, isWaiting, next, shop } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [status])
  return (
    <section className="mx-auto flex max-w-prose flex-col items-center gap-4 py-10 text-center">
      <img {...KOLAM} className={`h-32 w-32 ${isWaiting ? 'animate-pulse' : ''}`} />
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h1>
      <div role="status" className="grid gap-3">
        {lines.map(text => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {next ?? <StillWaiting />}
      <ContactLine shop={shop} />
    </section>
  )
}
