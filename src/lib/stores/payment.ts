import { t } from '../contract/texts.ts'
import { atom, readonlyType } from 'nanostores'
import { api, API_BASE } from '../api.ts'
import { hasTypes } from '../browser.ts'
import type { DeliveryDetails } from '../checkout/checkout-form.ts'
import { CHECKOUT_MESSAGES, newTotalText, OFFLINE_NOTICE } from '../checkout/messages.ts'
import {
  findOrderId,
  nextPayment,
  type Payment,
  type PaymentEvent,
  type PaymentNotice,
  type RazorpayResponse
} from '../checkout/payment.ts'
import type { CartEntry, PaymentOrder } from '../contract/checkout.ts'
import type { Order } from '../contract/orders.ts'
import { assertShopError, ShopError, toErrorText, type ErrorCode } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { formatRupees } from '../money.ts'
import { paths, paymentPath } from '../paths.ts'
import { PAYMENT_POLL_DELAYS } from '../time.ts'
import { syncCart } from './cart-sync.ts'
import { removeOrderedItems } from './cart.ts'
import { setCoupon } from './coupon.ts'
import { applyQuote } from './quote.ts'
import { $delivery, loadDelivery } from './delivery.ts'
import {
  clearCheckoutKey,
  clearPendingPayment,
  getCheckoutKey,
  readPendingPayment,
  savePendingPayment
} from './pending-payment.ts'
import { openProvider, toRazorpayOptions } from './razorpay.ts'
import { saveDraft } from './storage.ts'
import { $toasts, dismiss, notify } from './toasts.ts'

export interface Checkout extends DeliveryDetails {
  amount: number
  items: CartEntry[]
  coupon?: string | undefined
  shopName: string
}

const $state = atom<Payment>({ status: 'idle' })

export const $payment = readonlyType($state)

let polledOrder: string | undefined

let openPayment = openProvider

export function configurePayment(open: typeof openProvider): void {
  openPayment = open
}

/** Throws only what the form shows. */
export async function pay(checkout: Checkout): Promise<void> {
  if ($state.get().status !== 'idle') return
  dispatch({ type: 'started' })
  const order = await startOrder(checkout)
  if (!order) return
  savePendingPayment({ orderId: order.orderId, items: checkout.items })
  if (order.order) return dispatch({ type: 'settled', order: order.order })
  try {
    await openWindow(order, checkout)
    dispatch({ type: 'opened', orderId: order.orderId })
  } catch {
    const title = t('Razorpay SDK failed to load. Are you online?')
    dispatch({ type: 'failed', notice: { title, kind: 'failure' } })
  }
}

export async function reopenPayment(orderId: string, loggedIn = true): Promise<void> {
  dispatch({ type: 'returned', orderId, loggedIn })
  if (loggedIn) await checkPayment(orderId)
}

/** Shows nothing if the payment is still unpaid. */
export async function resumePayment(): Promise<void> {
  const orderId = readPendingPayment()?.orderId
  if (orderId === undefined) return
  try {
    const state = await api('POST /payments/{orderId}/sync', { params: { orderId } })
    if (state.order.status === 'expired' || state.order.status === 'cancelled')
      clearPendingPayment(orderId)
    if (state.state === 'unpaid' || $state.get().status !== 'idle') return
    dispatch({ type: 'returned', orderId, loggedIn: true })
    dispatch({ type: 'synced', state })
    startPolling()
  } catch (error) {
    // A cancelled checkout is deleted after an hour.
    if (assertShopError(error).code === 'ORDER_NOT_FOUND') clearPendingPayment(orderId)
  }
}

export function closePayment(): void {
  dispatch({ type: 'dismissed' })
}

async function startOrder(checkout: Checkout, isRetry = false): Promise<PaymentOrder | undefined> {
  const { shopName: _shopName, ...body } = checkout
  try {
    return await api('POST /payments/razorpay-order', {
      body: { ...body, checkoutKey: getCheckoutKey(body) }
    })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'CHECKOUT_CHANGED') clearCheckoutKey()
    if (error.code === 'CHECKOUT_CHANGED' && !isRetry) return startOrder(checkout, true)
    if (error.quote) {
      applyQuote(error.quote)
      // The quote has the fee, but not the amount from which it is free.
      const { pincode } = $delivery.get()
      if (pincode !== '') await loadDelivery(pincode)
    }
    const isForForm = error.fields !== undefined || FORM_ERRORS.includes(error.code)
    dispatch({ type: 'failed', notice: isForForm ? undefined : toFailureNotice(error) })
    if (isForForm) throw error
    return undefined
  }
}

/** Shown beside fields, or answered by a code. */
const FORM_ERRORS: readonly ErrorCode[] = [
  'PINCODE_UNKNOWN',
  'NOT_DELIVERED',
  'DAY_CLOSED',
  'DAY_FULL',
  'VERIFICATION_REQUIRED'
]

function toFailureNotice(error: ShopError): PaymentNotice {
  const { code, message: title, quote } = error
  const kind = 'failure'
  if (quote) return { title, text: newTotalText(formatRupees(quote.total)), kind }
  if (code === 'OFFLINE') return { ...OFFLINE_NOTICE, kind }
  const isRefused = code === 'SHOP_CLOSED' || code === 'BELOW_MINIMUM_ORDER'
  if (isRefused) return { title, text: CHECKOUT_MESSAGES.paymentNothingCharged, kind }
  return {
    title: CHECKOUT_MESSAGES.paymentOrderFailed,
    text: toErrorText(error, MESSAGES.tryAgain),
    kind
  }
}

async function openWindow(order: PaymentOrder, { customerDetails: customer, shopName }: Checkout) {
  const { id, orderId } = order
  if (id === null) throw new Error('There is nothing to pay')
  const options = toRazorpayOptions({
    order: { ...order, id },
    customer,
    shopName,
    callbackUrl: new URL(`${API_BASE}/payments/razorpay-callback`, location.origin).href,
    userAgent: navigator.userAgent,
    onPaid: response => void handlePaid(response),
    onClosed: () => void handleClosed(orderId)
  })
  await openPayment(order.script, options, reason => dispatch({ type: 'declined', reason }))
}

async function handlePaid(response: RazorpayResponse) {
  dispatch({ type: 'paid', response })
  if ($state.get().status !== 'confirming') return
  await confirmPayment(response)
  startPolling()
}

async function handleClosed(orderId: string) {
  dispatch({ type: 'closed' })
  if ($state.get().status === 'syncing') await checkPayment(orderId)
}

async function confirmPayment(response: RazorpayResponse) {
  const orderId = findOrderId($state.get())
  try {
    const order = await api('POST /orders', { body: response })
    if (!hasTypes(order, { _id: 'string', status: 'string' })) throw new ShopError('INTERNAL')
    dispatchFor(orderId, { type: 'confirmed', order })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'PAYMENT_REFUNDED')
      return dispatchFor(orderId, { type: 'refunded', reason: error.message })
    const final = error.code === 'INVALID_PAYMENT' || error.replyStatus === 404
    const reason = toErrorText(error, t('Please contact support.'))
    dispatchFor(orderId, { type: 'confirmFailed', reason, final })
  }
}

async function checkPayment(orderId: string) {
  await syncPayment(orderId)
  startPolling()
}

async function syncPayment(orderId: string) {
  try {
    const state = await api('POST /payments/{orderId}/sync', { params: { orderId } })
    dispatchFor(orderId, { type: 'synced', state })
  } catch (error) {
    dispatchFor(orderId, { type: 'syncFailed', reason: assertShopError(error).message })
  }
}

/** Not if the page shows the payment of another order by now. */
function dispatchFor(orderId: string | undefined, event: PaymentEvent) {
  if (findOrderId($state.get()) === orderId) dispatch(event)
}

function startPolling() {
  const orderId = findUndecidedPayment()?.orderId
  if (orderId === undefined || polledOrder === orderId) return
  polledOrder = orderId
  void pollUntilDecided(orderId).finally(() => {
    if (polledOrder === orderId) polledOrder = undefined
  })
}

async function pollUntilDecided(orderId: string) {
  for (let attempt = 0; ; attempt++) {
    await waitForNextPoll(PAYMENT_POLL_DELAYS[attempt] ?? PAYMENT_POLL_DELAYS.at(-1) ?? 0)
    const payment = findUndecidedPayment()
    if (payment?.orderId !== orderId) return
    if (payment.response) await confirmPayment(payment.response)
    else await syncPayment(orderId)
  }
}

function findUndecidedPayment(): { orderId: string; response?: RazorpayResponse } | undefined {
  const payment = $state.get()
  return payment.status === 'checking' || payment.status === 'unconfirmed' ? payment : undefined
}

function dispatch(event: PaymentEvent) {
  const current = $state.get()
  const next = nextPayment(current, event)
  if (next === current) return
  $state.set(next)
  updateAddress(next)
  if (next.status === 'placed') completePendingPayment(next.order)
  if (next.status === 'placed' || next.status === 'refunded') clearCheckoutKey()
  if (next.status === 'refunded') clearPendingPayment(findOrderId(current))
}

function updateAddress(payment: Payment) {
  const { status } = payment
  const orderId = findOrderId(payment)
  if (status === 'confirming' || status === 'checking' || status === 'placed') {
    if (orderId !== undefined) history.replaceState(history.state, '', paymentPath(orderId))
  } else if (status === 'idle' && location.search !== '') {
    history.replaceState(history.state, '', paths.cart)
  }
}

/** Ends early when online again, waits while hidden. */
async function waitForNextPoll(ms: number) {
  const waited = new AbortController()
  await new Promise(resolve => {
    setTimeout(resolve, ms)
    addEventListener('online', resolve, { signal: waited.signal })
  })
  waited.abort()
  if (document.visibilityState !== 'hidden') return
  await new Promise(resolve =>
    document.addEventListener('visibilitychange', resolve, { once: true })
  )
}

function completePendingPayment(order: Order) {
  const pending = readPendingPayment()
  if (pending?.orderId !== order._id) return
  removeOrderedItems(pending.items)
  setCoupon(undefined)
  clearPendingPayment(order._id)
  saveDraft('checkout', undefined)
  void syncCart()
  for (const { id } of $toasts.get()) dismiss(id)
  // The heading says the same.
  notify({ title: CHECKOUT_MESSAGES.orderPlaced, quiet: true })
}
