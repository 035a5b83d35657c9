import { setTimeout as wait } from 'node:timers/promises'
import { previewChange } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import type { Order } from '#lib/contract/orders.ts'
import { toRupees } from '#lib/money.ts'
import { addDays, toDayInIndia } from '#lib/time.ts'
import { pick, seededInt } from '../../support/random.ts'
import { ADDRESS, CUSTOMER } from '../../support/checkout.ts'
import {
  callWithRetry,
  type Buyer,
  type Observations,
  type Reply,
  checkOwnOrders,
  openPayment,
  placeOrder,
  draftCheckout,
  type OpenedPayment
} from './buyer-calls.ts'
import { rethrowUnlessRefused } from './provider.ts'
import type { TestEnvironment } from './environment.ts'

type Behaviour = (buyer: Buyer, opened: OpenedPayment) => Promise<unknown>

const pay: Behaviour = ({ env }, { id }) => env.provider.pay(id)

const payAndReport = async (buyer: Buyer, { id }: OpenedPayment): Promise<Order | undefined> =>
  placeOrder(buyer, await buyer.env.provider.pay(id))

const payTwice: Behaviour = async (buyer, { id }) => {
  const { provider } = buyer.env
  const proofs = [await provider.pay(id), await provider.payAgain(id)]
  await Promise.all(proofs.map(proof => placeOrder(buyer, proof)))
}

const reportThreeTimes: Behaviour = async (buyer, opened) => {
  const proof = await buyer.env.provider.pay(opened.id)
  const orders = await Promise.all([1, 2, 3].map(() => placeOrder(buyer, proof)))
  if (new Set(orders.flatMap(order => order?._id ?? [])).size > 1)
    buyer.observed.violations.push(`One payment created two orders: ${opened.id}`)
}

const payTwoCheckouts: Behaviour = async (buyer, opened) => {
  const other = await openPayment(buyer, draftCheckout(buyer))
  if (other) await payAndReport(buyer, other)
  await pay(buyer, opened)
}

/** The shop removes packs, sometimes twice at once, and the shopper may cancel the rest. */
const payAndChange: Behaviour = async (buyer, opened) => {
  const { env, random } = buyer
  const order = await payAndReport(buyer, opened)
  if (!order) return
  const admin: Buyer = { ...buyer, account: env.admin }
  for (let change = 0; change < 2; change++) {
    const { status, body } = await callWithRetry(admin, `GET /admin/orders/${order._id}`)
    if (status !== 200) return
    const current = body as AdminOrder
    const { line, quantity } = pick(current.items, random)
    const lines = [{ line, quantity: random(0, quantity) }]
    const preview = previewChange(current, lines)
    if ('problem' in preview) continue
    const { version } = current
    const deliveryDate = addDays(toDayInIndia(env.clock()), 4)
    const request = { version, refund: toRupees(preview.refund), lines, deliveryDate }
    const send = (): Promise<Reply> =>
      callWithRetry(admin, `POST /admin/orders/${order._id}/change`, request)
    await Promise.all(random(0, 3) === 0 ? [send(), send()] : [send()])
  }
  if (order.canCancel && random(0, 2) === 0) await cancel(buyer, order._id)
}

const cancel = (buyer: Buyer, orderId: string): Promise<Reply> =>
  callWithRetry(buyer, `POST /orders/${orderId}/cancel`)

/** Each behaviour with its share in percent. About half of the buyers who pay do not report it. */
const BEHAVIOURS: readonly (readonly [share: number, behaviour: Behaviour])[] = [
  [22, pay],
  [18, payAndReport],
  [5, reportThreeTimes],
  [4, payTwice],
  [7, payTwoCheckouts],
  [8, payAndChange],
  // Leaves without paying.
  [4, async () => undefined],
  // Pays after the reservation has expired.
  [5, async ({ observed }, { id }) => observed.latePayments.push(id)],
  [
    5,
    async (buyer, opened) => {
      await buyer.env.provider.attempt(opened.id, 'failed')
      await payAndReport(buyer, opened)
    }
  ],
  [
    4,
    async ({ env, observed }, { id }) =>
      observed.pendingPayments.push(await env.provider.attempt(id, 'pending'))
  ],
  [
    4,
    async ({ env, observed }, { id }) =>
      observed.lateConfirmations.push(await env.provider.attempt(id, 'failed'))
  ],
  [
    4,
    async (buyer, { id }) => {
      const proof = await buyer.env.provider.pay(id, 'authorized')
      if (buyer.random(0, 2) === 0) await placeOrder(buyer, proof)
    }
  ],
  [
    2,
    async (buyer, { id, orderId }) => {
      await cancel(buyer, orderId)
      buyer.observed.latePayments.push(id)
    }
  ],
  [
    8,
    async (buyer, opened) => {
      const order = await payAndReport(buyer, opened)
      if (order?.canCancel) await cancel(buyer, order._id)
    }
  ]
]

export async function buyUntilClosed(
  env: TestEnvironment,
  seed: number,
  observed: Observations,
  closing: AbortSignal
): Promise<void> {
  const random = seededInt(seed)
  while (!closing.aborted) {
    const buyer: Buyer = { env, account: pick(env.accounts, random), random, observed, closing }
    await buy(buyer)
    await wait(random(0, 40))
  }
}

async function buy(buyer: Buyer): Promise<void> {
  const { random } = buyer
  if (random(0, 8) === 0) return buyWithoutItems(buyer).catch(rethrowUnlessRefused)
  const behaviour = pickBehaviour(random(0, 100))
  const useDraw = random(0, 10) < 3
  const windowCount = useDraw && random(0, 3) === 0 ? 2 : 1
  const opened = await Promise.all(
    Array.from({ length: windowCount }, () => openPayment(buyer, draftCheckout(buyer, useDraw)))
  )
  for (const payment of opened) {
    if (!payment) continue
    await behaviour(buyer, payment).catch(rethrowUnlessRefused)
  }
  if (random(0, 4) === 0) await checkOwnOrders(buyer)
}

function pickBehaviour(number: number): Behaviour {
  let remaining = number
  const [, behaviour = pay] = BEHAVIOURS.find(([share]) => (remaining -= share) < 0) ?? []
  return behaviour
}

/** About the time in which the provider's webhook arrives, in ms. */
const WEBHOOK_TIME = 500

/** Pays an amount without items. The page then reports the payment, sometimes twice. */
async function buyWithoutItems(buyer: Buyer): Promise<void> {
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
    observed.violations.push(`${proof.razorpay_payment_id} was ordered and refunded`)
}
