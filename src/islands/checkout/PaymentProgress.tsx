import { useEffect, useRef } from 'react'
import type { Payment } from '#lib/checkout/payment.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { paymentPath, paths } from '#lib/paths.ts'
import { loginPath } from '#lib/return-path.ts'
import { leavePayment, returnTo } from '#lib/stores/payment.ts'
import { Kolam } from '../ui/Kolam.tsx'
import { ContactLine } from './ContactLine.tsx'
import type { ShopContact } from './OrderPlaced.tsx'

const STATES = ['checking', 'unfinalised', 'returning', 'unheard', 'unknown', 'refunded'] as const
type OnItsOwn = Payment & { at: (typeof STATES)[number] }

/** Whether a payment is all that the page should speak of. */
export function isOnItsOwn(payment: Payment): payment is OnItsOwn {
  return STATES.some(at => at === payment.at)
}

/** A payment that has left the cart and is no order yet: what is known, what happens by itself, and whom to ask. */
export function PaymentProgress({ payment, shop }: { payment: OnItsOwn; shop: ShopContact }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { title, texts } = wordsOf(payment)
  useEffect(() => heading.current?.focus(), [payment.at])
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
      <NextStep payment={payment} />
      <ContactLine shop={shop} />
    </section>
  )
}

function isWaiting({ at }: OnItsOwn): boolean {
  return at === 'checking' || at === 'unfinalised' || at === 'returning'
}

function wordsOf(payment: OnItsOwn): { title: string; texts: string[] } {
  switch (payment.at) {
    case 'checking':
      return {
        title: CHECKOUT_MESSAGES.paymentCheckingTitle,
        texts: [CHECKOUT_MESSAGES.paymentChecking, CHECKOUT_MESSAGES.paymentByItself]
      }
    case 'unfinalised':
      return {
        title: CHECKOUT_MESSAGES.paymentNotFinalised,
        texts: [payment.reason, CHECKOUT_MESSAGES.paymentKeepTrying, CHECKOUT_MESSAGES.paymentByItself]
      }
    case 'returning':
      return { title: CHECKOUT_MESSAGES.paymentCheckingTitle, texts: [CHECKOUT_MESSAGES.payAsking] }
    case 'unheard':
      return {
        title: CHECKOUT_MESSAGES.paymentCheckingTitle,
        texts: [payment.reason, CHECKOUT_MESSAGES.paymentUnheard]
      }
    case 'unknown':
      return { title: CHECKOUT_MESSAGES.orderLogin, texts: [CHECKOUT_MESSAGES.orderLoginText] }
    case 'refunded':
      return { title: CHECKOUT_MESSAGES.paymentRefundedTitle, texts: [payment.reason] }
  }
}

function NextStep({ payment }: { payment: OnItsOwn }) {
  if (payment.at === 'returning') return null
  if (payment.at === 'unheard') {
    return (
      <button type="button" className="button-primary" onClick={() => void returnTo(payment.orderId)}>
        Try again
      </button>
    )
  }
  if (payment.at === 'unknown') {
    return (
      <a href={loginPath(paymentPath(payment.orderId))} className="button-primary">
        Login
      </a>
    )
  }
  if (payment.at === 'refunded') {
    return (
      <button type="button" className="button-primary" onClick={leavePayment}>
        Back to the cart
      </button>
    )
  }
  return (
    <a href={paths.orders} className="button-quiet">
      {CHECKOUT_MESSAGES.viewOrders}
    </a>
  )
}
