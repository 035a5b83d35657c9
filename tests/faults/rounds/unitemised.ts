import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { hmac } from '#server/razorpay/config.ts'
import { pick } from '../../support/random.ts'
import { ADDRESS, CUSTOMER } from '../../support/recipient.ts'
import { callWithRetry, type Buyer, type Reply } from './buyer-calls.ts'
import { draftCheckout } from './checkout.ts'

/** The shop gives the browser this time before it processes a webhook, in ms. */
const BROWSER_HEAD_START = 300

/**
 * Pays an amount without items. A webhook and the page then report the payment at about the same
 * time, the page sometimes twice.
 */
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
    await wait(BROWSER_HEAD_START + random(-50, 100))
    return callWithRetry(buyer, 'POST /orders', body)
  }
  const calls = random(0, 2) === 0 ? [place()] : [place(), place()]
  const [replies] = await Promise.all([
    Promise.all(calls),
    sendWebhook(buyer, proof.razorpay_payment_id)
  ])
  const statuses = replies.map(({ status }) => status)
  if (statuses.some(isPlaced) && statuses.includes(409))
    observed.violations.push(
      `The payment ${proof.razorpay_payment_id} was reported as ordered and as refunded`
    )
}

function isPlaced(status: number): boolean {
  return status === 200 || status === 201
}

/** Razorpay's own webhook may be late or lost in these rounds. */
async function sendWebhook({ env, random }: Buyer, paymentId: string): Promise<void> {
  const payload = { payment: { entity: { id: paymentId } } }
  const body = JSON.stringify({ event: 'payment.captured', payload })
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-event-id': randomUUID(),
    'x-razorpay-signature': hmac(env.settings['RAZORPAY_WEBHOOK_SECRET'] ?? '', body)
  }
  const url = `${pick(env.servers, random).url}/api/payments/razorpay-webhook`
  await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
}
