import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { DELIVERY_DAYS_AHEAD } from '#lib/constants.ts'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import type { Order } from '#lib/contract/orders.ts'
import { addDays, toDayInIndia } from '#lib/time.ts'
import type { RandomInt } from '#server/platform/process/secret.ts'
import type { PaymentResponse } from '../../../sandbox/objects.ts'
import { toRefundRequest } from '../../support/admin-orders.ts'
import { ADDRESS, CUSTOMER } from '../../support/checkout.ts'
import { pick, seededInt } from '../../support/random.ts'
import type { TestEnvironment } from './environment.ts'
import { rethrowUnlessRefused } from './provider.ts'
import { CHOSEN_DAYS, DEAL, DELIVERY_FEE, PRODUCTS, type Account, type Product } from './seed.ts'

export const newObservations = () => ({
  opened: new Map<string, { buyer: string; providerOrder: string }>(),
  /** Payment ids by order id, for the orders that the shop confirmed to a buyer. */
  confirmed: new Map<string, string>(),
  /** Provider orders to pay after their reservations have expired. */
  latePayments: [] as string[],
  pendingPayments: [] as string[],
  /** For example `503 UNAVAILABLE`. The status is 0 if no reply came. */
  replies: [] as string[],
  violations: [] as string[]
})
export type Observations = ReturnType<typeof newObservations>

/** `status` is 0 if there was no reply. */
interface Reply {
  status: number
  body: unknown
}

export interface Buyer {
  env: TestEnvironment
  account: Account
  random: RandomInt
  observed: Observations
  closing: AbortSignal
}

const TIMEOUT_MS = 15_000
const RETRY_DELAY_MS = 200
const MAX_ATTEMPTS = 60

export async function call(
  { env, account, random, observed }: Buyer,
  requestLine: string,
  body?: object
): Promise<Reply> {
  const [method, path] = requestLine.split(' ')
  const headers = {
    authorization: `Bearer ${account.token}`,
    'x-forwarded-for': account.ip,
    ...(body && { 'content-type': 'application/json' })
  }
  const reply = await fetch(`${pick(env.servers, random).url}/api${path}`, {
    method: method ?? '',
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body && { body: JSON.stringify(body) })
  })
    .then(async (response): Promise<Reply> => {
      return { status: response.status, body: await response.json() }
    })
    .catch(() => NO_REPLY)
  const { code = '' } = (reply.body ?? {}) as { code?: string }
  observed.replies.push(`${reply.status} ${code}`.trim())
  if (!EXPECTED_STATUSES.has(reply.status))
    observed.violations.push(`${requestLine}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply
}

/** A correct client may receive 409 when a product sells out, and 503 when the provider is down. */
const EXPECTED_STATUSES = new Set([0, 200, 201, 202, 409, 429, 503])

const NO_REPLY: Reply = { status: 0, body: undefined }

/** Retries if there is no reply or the status is 429 or 503. */
async function callWithRetry(buyer: Buyer, requestLine: string, body?: object) {
  let reply = NO_REPLY
  for (let attempt = 0; attempt < MAX_ATTEMPTS && !buyer.closing.aborted; attempt++) {
    reply = await call(buyer, requestLine, body)
    if (reply.status !== 0 && reply.status !== 503 && reply.status !== 429) break
    await wait(RETRY_DELAY_MS, undefined, { signal: buyer.closing }).catch(() => undefined)
  }
  return reply
}

interface CheckoutDraft {
  key: string
  items: { product: Product; quantity: number; dealId?: string }[]
  /** Most buyers choose no day. */
  delivery: { deliveryDate?: string }
  /** The expected price in paise, computed independently of the shop. */
  total: number
}

type OpenedPayment = PaymentOrder & { id: string }

const PRODUCT_IDS = Object.keys(PRODUCTS) as Product[]

function draftCheckout({ env, random, account }: Buyer, useDraw: boolean) {
  const product = pick(PRODUCT_IDS, random)
  const quantity = random(1, 4)
  const items: CheckoutDraft['items'] = useDraw
    ? [{ product: DEAL.product, quantity: 1, dealId: DEAL.id }]
    : []
  if (!useDraw || random(0, 2) === 0) items.push({ product, quantity })
  const total = items.reduce((sum, item) => {
    const paise = Math.round(PRODUCTS[item.product].price * 100)
    const drawn = Math.floor((paise * (100 - account.percent) + 50) / 100)
    return sum + (item.dealId ? drawn : paise) * item.quantity
  }, DELIVERY_FEE)
  const first = addDays(toDayInIndia(env.clock()), DELIVERY_DAYS_AHEAD.earliest)
  const delivery =
    random(0, 3) === 0 ? { deliveryDate: addDays(first, random(0, CHOSEN_DAYS)) } : {}
  return { key: randomUUID(), items, delivery, total }
}

async function openPayment(buyer: Buyer, draft: CheckoutDraft) {
  const { observed } = buyer
  const body = {
    amount: draft.total / 100,
    items: draft.items,
    ...draft.delivery,
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS,
    checkoutKey: draft.key
  }
  const send = () => callWithRetry(buyer, 'POST /payments/razorpay-order', body)
  const replies = await Promise.all(buyer.random(0, 5) === 0 ? [send(), send()] : [send()])
  const opened = replies
    .filter(({ status }) => status === 200)
    .map(({ body: answer }) => answer as OpenedPayment)
  for (const { orderId, id, amount } of opened) {
    const earlier = observed.opened.get(orderId)?.providerOrder
    if (earlier && earlier !== id)
      observed.violations.push(`Order ${orderId} has the provider orders ${earlier} and ${id}`)
    if (amount !== draft.total)
      observed.violations.push(`Order ${orderId} costs ${amount} paise, expected ${draft.total}`)
    observed.opened.set(orderId, { buyer: buyer.account.id, providerOrder: id })
  }
  return opened[0]
}

async function placeOrder(buyer: Buyer, response: PaymentResponse) {
  const { status, body } = await callWithRetry(buyer, 'POST /orders', response)
  if (status !== 200 && status !== 201) return undefined
  const order = body as Order
  if (order.razorpay_payment_id === response.razorpay_payment_id)
    buyer.observed.confirmed.set(order._id, response.razorpay_payment_id)
  return order
}

type Behaviour = (buyer: Buyer, opened: OpenedPayment) => Promise<unknown>

const pay: Behaviour = ({ env }, { id }) => env.provider.pay(id)

const payAndReport = async (buyer: Buyer, { id }: OpenedPayment) =>
  placeOrder(buyer, await buyer.env.provider.pay(id))

const payTwice: Behaviour = async (buyer, { id }) => {
  const { provider } = buyer.env
  const proofs = [await provider.pay(id), await provider.payAgain(id)]
  await Promise.all(proofs.map(proof => placeOrder(buyer, proof)))
}

/** The shop refunds packs and amounts, sometimes twice at once, and the shopper may cancel. */
const payAndRefund: Behaviour = async (buyer, opened) => {
  const { env, random } = buyer
  const order = await payAndReport(buyer, opened)
  if (!order) return
  const admin: Buyer = { ...buyer, account: env.admin }
  const path = `/admin/orders/${order._id}`
  const deliveryDate = addDays(toDayInIndia(env.clock()), 4)
  if (random(0, 2) === 0)
    await callWithRetry(admin, `POST ${path}/change`, { version: 0, deliveryDate })
  if (random(0, 3) === 0)
    await callWithRetry(admin, `POST ${path}/move`, { from: 'pending', to: 'packed' })
  for (let count = 0; count < 3; count++) {
    const { status, body } = await callWithRetry(admin, `GET ${path}`)
    if (status !== 200) return
    const current = body as AdminOrder
    const { line, quantity } = pick(current.items, random)
    const packs: Record<number, number> =
      random(0, 2) === 0 ? {} : { [line]: random(1, quantity + 1) }
    const request = toRefundRequest(current, packs, {
      ...(Object.keys(packs).length === 0 && { amount: random(1, 100) }),
      restock: random(0, 2) === 0
    })
    if (request.refund === 0) continue
    const send = () => callWithRetry(admin, `POST ${path}/refund`, request)
    await Promise.all(random(0, 3) === 0 ? [send(), send()] : [send()])
  }
  if (order.canCancel && random(0, 2) === 0) await cancel(buyer, order._id)
}

const cancel = (buyer: Buyer, orderId: string) =>
  callWithRetry(buyer, `POST /orders/${orderId}/cancel`)

/** Each behaviour with its share in percent. About half of the buyers who pay do not report it. */
const BEHAVIOURS: readonly (readonly [share: number, behaviour: Behaviour])[] = [
  [30, pay],
  [26, payAndReport],
  [8, payTwice],
  [10, payAndRefund],
  // Leaves without paying.
  [4, async () => undefined],
  [8, async ({ observed }, { id }) => observed.latePayments.push(id)],
  [
    4,
    async ({ env, observed }, { id }) =>
      observed.pendingPayments.push(await env.provider.payPending(id))
  ],
  [
    10,
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
    await buy({ env, account: pick(env.accounts, random), random, observed, closing })
    await wait(random(0, 40))
  }
}

async function buy(buyer: Buyer) {
  const { random } = buyer
  let remaining = random(0, 100)
  const [, behaviour = pay] = BEHAVIOURS.find(([share]) => (remaining -= share) < 0) ?? []
  const useDraw = random(0, 10) < 3
  const windowCount = random(0, 6) === 0 ? 2 : 1
  const opened = await Promise.all(
    Array.from({ length: windowCount }, () => openPayment(buyer, draftCheckout(buyer, useDraw)))
  )
  for (const payment of opened)
    if (payment) await behaviour(buyer, payment).catch(rethrowUnlessRefused)
}
