import { setTimeout as wait } from 'node:timers/promises'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { ADDRESS, CUSTOMER } from '../../support/recipient.ts'
import { callWithRetry, type Buyer, type Reply } from './buyer-calls.ts'
import { draftCheckout } from './checkout.ts'

/** About the time in which the provider's webhook arrives, in ms. */
const WEBHOOK_TIME = 500

/** Pays an amount without items. The page then reports the payment, sometimes twice. */
export async function buyWithoutItems(buyer: Buyer): Promise<void> {
  const { env, random, observed } = buyer
  const { items, delivery, total } = draftCheckout(buyer)
  const opened = await callWithRetry(buyer, 'POST /payments/razorpay-order', {
    amount: total / 100
  })
  if (opened.status !== 200) return
  const { id } = opened.body as PaymentOrder & { id: string }
  const proof = await env.provider.pay(id)
  const body = { ...proof, items, ...delivery, customerDetails: CUSTOMER, shippingAddress: ADDRESS }
  const place = async (): Promise<Reply> => {
    await wait(random(0, WEBHOOK_TIME))
    return callWithRetry(buyer, 'POST /orders', body)
  }
  const replies = await Promise.all(random(0, 2) === 0 ? [place()] : [place(), place()])
  const statuses = replies.map(({ status }) => status)
  if (statuses.some(status => status === 200 || status === 201) && statuses.includes(409))
    observed.violations.push(
      `The payment ${proof.razorpay_payment_id} was reported as ordered and as refunded`
    )
}
