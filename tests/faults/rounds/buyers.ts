import { setTimeout as wait } from 'node:timers/promises'
import { previewChange } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { toRupees } from '#lib/money.ts'
import { addDays, toDayInIndia } from '#lib/time.ts'
import { pick, seededInt } from '../../support/random.ts'
import { callWithRetry, type Buyer, type Observations, type Reply } from './buyer-calls.ts'
import {
  checkOwnOrders,
  openPayment,
  placeOrder,
  draftCheckout,
  type OpenedPayment
} from './checkout.ts'
import { rethrowUnlessRefused } from './provider.ts'
import type { TestEnvironment } from './environment.ts'
import { buyWithoutItems } from './unitemised.ts'

type Behaviour = (buyer: Buyer, opened: OpenedPayment) => Promise<unknown>

const payOnce = (
  { env }: Buyer,
  { id }: OpenedPayment
): ReturnType<TestEnvironment['provider']['pay']> => env.provider.pay(id)

const paysAndReports: Behaviour = async (buyer, opened) =>
  placeOrder(buyer, await payOnce(buyer, opened))

/** Pays, but closes the page before it reports the payment to the shop. */
const paysAndLeaves: Behaviour = payOnce

const failsFirst: Behaviour = async (buyer, opened) => {
  await buyer.env.provider.attempt(opened.id, 'failed')
  await paysAndReports(buyer, opened)
}

const paysTwice: Behaviour = async (buyer, opened) => {
  const { provider } = buyer.env
  const proofs = [await provider.pay(opened.id), await provider.payAgain(opened.id)]
  await Promise.all(proofs.map(proof => placeOrder(buyer, proof)))
}

const reportsThreeTimes: Behaviour = async (buyer, opened) => {
  const proof = await payOnce(buyer, opened)
  const orders = await Promise.all([
    placeOrder(buyer, proof),
    placeOrder(buyer, proof),
    placeOrder(buyer, proof)
  ])
  if (new Set(orders.flatMap(order => order?._id ?? [])).size > 1)
    buyer.observed.violations.push(`One payment created two orders: ${opened.id}`)
}

const leavesPaymentPending: Behaviour = async ({ env, observed }, { id }) => {
  observed.pendingPayments.push(await env.provider.attempt(id, 'pending'))
}

const paysWithoutCapture: Behaviour = async (buyer, opened) => {
  const proof = await buyer.env.provider.pay(opened.id, 'authorized')
  if (buyer.random(0, 2) === 0) await placeOrder(buyer, proof)
}

const paysAfterExpiry: Behaviour = async ({ observed }, { id }) => observed.latePayments.push(id)

const isConfirmedAfterExpiry: Behaviour = async ({ env, observed }, { id }) => {
  observed.lateConfirmations.push(await env.provider.attempt(id, 'failed'))
}

const cancelsUnpaidOrder: Behaviour = async (buyer, { id, orderId }) => {
  await callWithRetry(buyer, `POST /orders/${orderId}/cancel`)
  buyer.observed.latePayments.push(id)
}

const abandonsPayment: Behaviour = async () => undefined

const paysTwoCheckouts: Behaviour = async (buyer, opened) => {
  const other = await openPayment(buyer, draftCheckout(buyer))
  if (other) await paysAndReports(buyer, other)
  await paysAndLeaves(buyer, opened)
}

const cancelsOrder: Behaviour = async (buyer, opened) => {
  const order = await placeOrder(buyer, await payOnce(buyer, opened))
  if (order?.canCancel) await callWithRetry(buyer, `POST /orders/${order._id}/cancel`)
}

/** The shop removes packs, sometimes twice at once, and the shopper may cancel the rest. */
const isChangedByShop: Behaviour = async (buyer, opened) => {
  const { env, random } = buyer
  const order = await placeOrder(buyer, await payOnce(buyer, opened))
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
    const deliveryDate = addDays(toDayInIndia(env.clock()), 4)
    const request = {
      version: current.version,
      refund: toRupees(preview.refund),
      lines,
      deliveryDate
    }
    const send = (): Promise<Reply> =>
      callWithRetry(admin, `POST /admin/orders/${order._id}/change`, request)
    await Promise.all(random(0, 3) === 0 ? [send(), send()] : [send()])
  }
  if (order.canCancel && random(0, 2) === 0)
    await callWithRetry(buyer, `POST /orders/${order._id}/cancel`)
}

/**
 * Each behaviour with its share in percent. About half of the buyers who pay never report the
 * payment to the shop.
 */
const BEHAVIOURS: readonly (readonly [Behaviour, number])[] = [
  [paysAndLeaves, 22],
  [paysAndReports, 18],
  [reportsThreeTimes, 5],
  [failsFirst, 5],
  [paysTwice, 4],
  [leavesPaymentPending, 4],
  [paysWithoutCapture, 4],
  [paysAfterExpiry, 5],
  [isConfirmedAfterExpiry, 4],
  [cancelsUnpaidOrder, 2],
  [abandonsPayment, 4],
  [paysTwoCheckouts, 7],
  [cancelsOrder, 8],
  [isChangedByShop, 8]
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
  for (const [behaviour, share] of BEHAVIOURS) {
    if (remaining < share) return behaviour
    remaining -= share
  }
  return paysAndLeaves
}
