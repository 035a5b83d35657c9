import { cleanStores } from 'nanostores'
import { onTestFinished, vi } from 'vitest'
import type { RazorpayOptions } from '#lib/stores/razorpay.ts'
import type { PaymentOrder, PaymentState } from '#lib/contract/checkout.ts'
import type { Checkout } from '#lib/stores/payment.ts'
import { makeLine } from '../support/cards.ts'
import { makeOrder } from '../support/orders.ts'
import { respondWith, openPage, PRIYA } from '../support/session.ts'

export const ORDER = makeOrder()
export const CHECKING = makeOrder({ status: 'checking', paymentStatus: 'pending' })
export const STARTED: PaymentOrder = {
  id: 'order_1',
  amount: 36_000,
  currency: 'INR',
  key: 'rzp_test_1',
  orderId: 'o-1',
  total: 360,
  holdUntil: null,
  theme: { color: '#9B2C1F' },
  sandbox: true,
  script: '/checkout.js'
}
export const PAYMENT_RESPONSE = {
  razorpay_payment_id: 'pay_1',
  razorpay_order_id: 'order_1',
  razorpay_signature: 'sig'
}
export const CHECKOUT: Checkout = {
  amount: 360,
  items: [{ product: 'pak', quantity: 2 }],
  customerDetails: ORDER.customerDetails,
  shippingAddress: ORDER.shippingAddress,
  deliveryDate: '2026-11-23',
  shopName: 'Palagaram'
}
export const syncReply =
  (state: PaymentState['state'], order = ORDER) =>
  () =>
    Response.json({ state, order })

type Replies = Parameters<typeof respondWith>[0]

/** Opens Priya's cart page with two products and a stubbed payment window. */
export async function openCheckout(
  replies: Replies = {},
  load: () => Promise<void> = async () => undefined
) {
  const send = vi.fn(
    respondWith({ 'POST /payments/razorpay-order': () => Response.json(STARTED), ...replies })
  )
  const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
  localStorage.setItem('cart', JSON.stringify([makeLine('pak', 2), makeLine('halwa')]))
  const { $cart } = await import('#lib/stores/cart.ts')
  const stores = await import('#lib/stores/payment.ts')
  $cart.listen(() => undefined)
  const replaceState = vi.spyOn(history, 'replaceState')
  onTestFinished(() => cleanStores($cart))
  const opened: RazorpayOptions[] = []
  let decline = (_reason: string): void => undefined
  stores.configurePayment(async (_, options, onDeclined) => {
    await load()
    opened.push(options)
    decline = onDeclined
  })
  const body = (call: number): unknown => JSON.parse(String(send.mock.calls[call]?.[1].body))
  return {
    ...page,
    ...stores,
    opened,
    body,
    decline: (reason: string) => decline(reason),
    status: () => stores.$payment.get().status,
    url: () => replaceState.mock.lastCall?.[2],
    cart: () => $cart.get().map(({ _id }) => _id)
  }
}

/** Opens the page and its payment window, which then reports a payment. */
export async function openPaidCheckout(replies: Replies) {
  const page = await openCheckout(replies)
  await page.pay(CHECKOUT)
  page.opened[0]?.handler?.(PAYMENT_RESPONSE)
  await vi.advanceTimersByTimeAsync(0)
  return page
}
