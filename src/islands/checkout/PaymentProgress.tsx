import { useEffect, useRef } from 'react'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import type { Payment } from '#lib/checkout/payment.ts'
import { paths, paymentPath, toLoginPath } from '#lib/paths.ts'
import { closePayment, reopenPayment } from '#lib/stores/payment.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Kolam, StillWaiting } from '../ui/States.tsx'
import { ContactLine, type ShopContact } from '../orders/OrderParts.tsx'

const texts = {
  paymentStillChecking: 'Please don’t pay again. We’re still checking.',
  paymentPending:
    'Your order will appear here and under My Orders. ' +
    'If we can’t place it, you get a full refund.',
  paymentCheckingTitle: 'We are checking your payment',
  paymentRefundedTitle: 'Your payment is being refunded',
  orderLogin: 'Please log in to see this order',
  orderLoginText: 'If you have paid, your order is saved under My Orders.',
  bankNotConfirmed: 'Your bank has not confirmed the payment yet. Please don’t pay again.'
}

const FULL_PAGE_STATES = [
  'checking',
  'unconfirmed',
  'loadingOrder',
  'syncFailed',
  'loginRequired',
  'refunded'
] as const
type FullPagePayment = Payment & { status: (typeof FULL_PAGE_STATES)[number] }

export function isFullPage(payment: Payment): payment is FullPagePayment {
  return FULL_PAGE_STATES.some(status => status === payment.status)
}

export function PaymentProgress({
  payment,
  shop
}: {
  payment: FullPagePayment
  shop: ShopContact
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { title, texts } = textsOf(payment)
  useEffect(() => heading.current?.focus(), [payment.status])
  return (
    <section className="mx-auto flex max-w-prose flex-col items-center gap-4 py-10 text-center">
      <Kolam className={`h-32 w-32 ${isWaiting(payment) ? 'animate-pulse' : ''}`} />
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h1>
      <div role="status" className="grid gap-3">
        {texts.map(text => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {payment.status === 'loadingOrder' && <StillWaiting />}
      <NextStep payment={payment} />
      <ContactLine shop={shop} />
    </section>
  )
}

function isWaiting({ status }: FullPagePayment): boolean {
  return status === 'checking' || status === 'unconfirmed' || status === 'loadingOrder'
}

function textsOf(payment: FullPagePayment): { title: string; texts: string[] } {
  switch (payment.status) {
    case 'checking':
      return {
        title: texts.paymentCheckingTitle,
        texts: [texts.bankNotConfirmed, texts.paymentPending]
      }
    case 'unconfirmed':
      return {
        title: CHECKOUT_MESSAGES.paymentNotFinalised,
        texts: [payment.reason, texts.paymentStillChecking, texts.paymentPending]
      }
    case 'loadingOrder':
      return {
        title: texts.paymentCheckingTitle,
        texts: [CHECKOUT_MESSAGES.paymentLoading]
      }
    case 'syncFailed':
      return {
        title: texts.paymentCheckingTitle,
        texts: [payment.reason, CHECKOUT_MESSAGES.paymentSyncFailed]
      }
    case 'loginRequired':
      return { title: texts.orderLogin, texts: [texts.orderLoginText] }
    case 'refunded':
      return { title: texts.paymentRefundedTitle, texts: [payment.reason] }
  }
}

function NextStep({ payment }: { payment: FullPagePayment }) {
  if (payment.status === 'loadingOrder') return null
  if (payment.status === 'syncFailed') {
    return (
      <Button
        look="primary"
        label="Try again"
        onClick={() => void reopenPayment(payment.orderId)}
      />
    )
  }
  if (payment.status === 'loginRequired') {
    return (
      <ButtonLink look="primary" label="Login" href={toLoginPath(paymentPath(payment.orderId))} />
    )
  }
  if (payment.status === 'refunded') {
    return <Button look="primary" label="Back to cart" onClick={closePayment} />
  }
  return <ButtonLink label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />
}
