import { randomUUID } from 'node:crypto'
import { DELIVERY_DAYS_AHEAD } from '#lib/constants.ts'
import type { Order } from '#lib/contract/orders.ts'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { addDays, toDayInIndia } from '#lib/time.ts'
import type { PaymentResponse } from '../../../sandbox/objects.ts'
import { call, callWithRetry, type Buyer, type Reply } from './buyer-calls.ts'
import { pick } from '../../support/random.ts'
import { ADDRESS, CUSTOMER } from '../../support/recipient.ts'
import { CHOSEN_DAYS, DEAL, DELIVERY_FEE, PRODUCTS, type Product } from './seed.ts'

export interface CheckoutDraft {
  key: string
  items: { product: Product; quantity: number; dealId?: string }[]
  /** Most buyers choose no day. */
  delivery: { deliveryDate?: string; eventAt?: string }
  /** The expected price in paise, computed independently of the shop. */
  total: number
}

export type OpenedPayment = PaymentOrder & { id: string }

const PRODUCT_IDS = Object.keys(PRODUCTS) as Product[]

export function draftCheckout(
  { env, random, account }: Buyer,
  useDraw = random(0, 10) < 3
): CheckoutDraft {
  const product = pick(PRODUCT_IDS, random)
  const quantity = random(1, 4)
  const items: CheckoutDraft['items'] = useDraw
    ? [{ product: DEAL.product, quantity: 1, dealId: DEAL.id }]
    : []
  if (!useDraw || random(0, 2) === 0) items.push({ product, quantity })
  const total = items.reduce((sum, item) => {
    const paise = Math.round(PRODUCTS[item.product].price * 100)
    return (
      sum +
      (item.dealId ? Math.floor((paise * (100 - account.percent) + 50) / 100) : paise) *
        item.quantity
    )
  }, DELIVERY_FEE)
  return { key: randomUUID(), items, delivery: draftDelivery(env, random), total }
}

function draftDelivery(
  { clock }: Buyer['env'],
  random: Buyer['random']
): CheckoutDraft['delivery'] {
  if (random(0, 3) > 0) return {}
  const first = addDays(toDayInIndia(clock()), DELIVERY_DAYS_AHEAD.earliest)
  const deliveryDate = addDays(first, random(0, CHOSEN_DAYS))
  return random(0, 3) === 0 ? { deliveryDate, eventAt: `${deliveryDate}T18:30` } : { deliveryDate }
}

export async function openPayment(
  buyer: Buyer,
  draft: CheckoutDraft
): Promise<OpenedPayment | undefined> {
  const body = {
    amount: draft.total / 100,
    items: draft.items,
    ...draft.delivery,
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS,
    checkoutKey: draft.key
  }
  const send = (): Promise<Reply> => callWithRetry(buyer, 'POST /payments/razorpay-order', body)
  const replies = await Promise.all(buyer.random(0, 5) === 0 ? [send(), send()] : [send()])
  const paymentOrders = replies.flatMap(({ status, body: answer }) =>
    status === 200 ? [answer as PaymentOrder] : []
  )
  for (const answer of paymentOrders) recordOpened(buyer, draft, answer)
  const [first] = paymentOrders
  return first && first.id !== null ? { ...first, id: first.id } : undefined
}

function recordOpened(
  { observed, account }: Buyer,
  { total }: CheckoutDraft,
  { orderId, id, amount }: PaymentOrder
): void {
  if (id === null) return
  const earlier = observed.opened.get(orderId)
  if (earlier && earlier.providerOrder !== id)
    observed.violations.push(
      `Order ${orderId} has two provider orders, ${earlier.providerOrder} and ${id}`
    )
  if (amount !== total)
    observed.violations.push(`Order ${orderId} costs ${amount} paise, expected ${total}`)
  observed.opened.set(orderId, { buyer: account.id, providerOrder: id })
}

export async function placeOrder(
  buyer: Buyer,
  response: PaymentResponse
): Promise<Order | undefined> {
  const { status, body } = await callWithRetry(buyer, 'POST /orders', response)
  if (status !== 200 && status !== 201) return undefined
  const order = body as Order
  if (order.razorpay_payment_id === response.razorpay_payment_id) {
    buyer.observed.confirmed.set(order._id, response.razorpay_payment_id)
  }
  return order
}

export async function checkOwnOrders(buyer: Buyer): Promise<void> {
  const { observed, account } = buyer
  const { status, body } = await call(buyer, 'GET /orders/my-orders')
  if (status !== 200) return
  for (const { _id } of body as Order[]) {
    const owner = observed.opened.get(_id)?.buyer
    if (owner !== undefined && owner !== account.id)
      observed.violations.push(`${account.name} sees order ${_id} of ${owner}`)
  }
}
