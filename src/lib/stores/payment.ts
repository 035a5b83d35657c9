import { atom, readonlyType } from 'nanostores'
import { api, apiBase } from '../api.ts'
import type { Destination } from '../checkout/checkout-form.ts'
import {
  nextPayment,
  orderIdOf,
  type Payment,
  type PaymentEvent,
  type RazorpayResponse,
  type PaymentNotice
} from '../checkout/payment.ts'
import { windowOptions } from '../checkout/window-options.ts'
import type { CartEntry } from '../contract/cart.ts'
import type { PaymentOrder } from '../contract/orders.ts'
import { CHECKOUT_MESSAGES, totalNow } from '../checkout/messages.ts'
import { MESSAGES } from '../messages.ts'
import { formatRupees } from '../money.ts'
import { paymentPath, paths } from '../paths.ts'
import { ShopError, errorText } from '../shop-error.ts'
import { checkoutKey, clearCheckoutKey } from './checkout-key.ts'
import { pollPayment } from './payment-polling.ts'
import { loadProvider, openProvider } from './payment-window.ts'
import { clearPendingPayment, savePendingPayment, completePendingPayment, pendingOrderId } from './pending-payment.ts'
import { applyQuote } from './quote.ts'

export interface Checkout {
  /** The total shown to the shopper, in rupees. */
  amount: number
  items: CartEntry[]
  destination: Destination
  shopName: string
}

const $state = atom<Payment>({ status: 'idle' })

export const $payment = readonlyType($state)

const provider = { load: loadProvider, open: openProvider }

export function configurePayment(changes: Partial<typeof provider>): void {
  Object.assign(provider, changes)
}

/** Throws ShopError only for invalid fields; other failures are in `$payment`. */
export async function pay(checkout: Checkout): Promise<void> {
  if ($state.get().status !== 'idle') return
  dispatch({ type: 'started' })
  const order = await startOrder(checkout)
  if (!order) return
  savePendingPayment(order.orderId, checkout.items)
  if (order.order) return dispatch({ type: 'settled', order: order.order })
  dispatch({ type: 'orderCreated', orderId: order.orderId })
  try {
    await provider.load(order.script)
    open(order, checkout)
    dispatch({ type: 'opened' })
  } catch {
    fail({ title: CHECKOUT_MESSAGES.paymentScriptFailed, kind: 'failure' })
  }
}

export async function reopenPayment(orderId: string, loggedIn = true): Promise<void> {
  dispatch({ type: 'returned', orderId, loggedIn })
  if (loggedIn) await checkPayment(orderId)
}

/** Checks a payment that was open when the tab was left; shows nothing if it is unpaid. */
export async function resumePayment(): Promise<void> {
  const orderId = pendingOrderId()
  if (orderId === undefined) return
  try {
    const state = await api('POST /payments/{orderId}/sync', { params: { orderId } })
    if (state.order.status === 'expired' || state.order.status === 'cancelled') clearPendingPayment()
    if (state.state === 'unpaid' || $state.get().status !== 'idle') return
    dispatch({ type: 'returned', orderId, loggedIn: true })
    dispatch({ type: 'synced', state })
    startPolling()
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
  }
}

export function closePayment(): void {
  dispatch({ type: 'left' })
}

async function startOrder(checkout: Checkout, isRetry = false): Promise<PaymentOrder | undefined> {
  const { amount, items, destination } = checkout
  const body = { amount, items, ...destination }
  try {
    return await api('POST /payments/razorpay-order', { body: { ...body, checkoutKey: checkoutKey(body) } })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'CHECKOUT_CHANGED') clearCheckoutKey()
    if (error.code === 'CHECKOUT_CHANGED' && !isRetry) return startOrder(checkout, true)
    if (error.quote) applyQuote(error.quote)
    fail(error.fields ? undefined : failureNotice(error))
    if (error.fields) throw error
    return undefined
  }
}

function failureNotice(error: ShopError): PaymentNotice {
  const { quote } = error
  return quote
    ? { title: error.message, text: totalNow(formatRupees(quote.total)), kind: 'failure' }
    : { title: CHECKOUT_MESSAGES.paymentOrderFailed, text: errorText(error, MESSAGES.tryAgain), kind: 'failure' }
}

function open(order: PaymentOrder, { destination, shopName }: Checkout): void {
  const { id, orderId } = order
  if (id === null) throw new Error('There is nothing to pay')
  const options = windowOptions({
    order: { ...order, id },
    customer: destination.customerDetails,
    shopName,
    callbackUrl: new URL(`${apiBase()}/payments/razorpay-callback`, location.origin).href,
    userAgent: navigator.userAgent,
    onPaid: response => void handlePaid(response),
    onClosed: () => void handleClosed(orderId)
  })
  provider.open(options, reason => dispatch({ type: 'declined', reason }))
}

async function handlePaid(response: RazorpayResponse): Promise<void> {
  dispatch({ type: 'paid', response })
  if ($state.get().status !== 'confirming') return
  await confirmPayment(response)
  startPolling()
}

async function handleClosed(orderId: string): Promise<void> {
  dispatch({ type: 'closed' })
  if ($state.get().status === 'syncing') await checkPayment(orderId)
}

async function confirmPayment(response: RazorpayResponse): Promise<void> {
  try {
    dispatch({ type: 'confirmed', order: await api('POST /orders', { body: response }) })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'PAYMENT_REFUNDED') return dispatch({ type: 'refunded', reason: error.message })
    const final = error.code === 'INVALID_PAYMENT' || error.status === 404
    dispatch({ type: 'confirmFailed', reason: errorText(error, CHECKOUT_MESSAGES.paymentContactSupport), final })
  }
}

async function checkPayment(orderId: string): Promise<void> {
  await syncPayment(orderId)
  startPolling()
}

async function syncPayment(orderId: string): Promise<void> {
  try {
    dispatch({ type: 'synced', state: await api('POST /payments/{orderId}/sync', { params: { orderId } }) })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    dispatch({ type: 'syncFailed', reason: error.message })
  }
}

function startPolling(): void {
  pollPayment($state, payment => (payment.response ? confirmPayment(payment.response) : syncPayment(payment.orderId)))
}

function fail(notice: PaymentNotice | undefined): void {
  dispatch({ type: 'failed', ...(notice && { notice }) })
}

function dispatch(event: PaymentEvent): void {
  const before = $state.get()
  const after = nextPayment(before, event)
  if (after === before) return
  $state.set(after)
  updateAddress(after)
  if (after.status === 'placed') completePendingPayment(after.order)
  if (after.status === 'placed' || after.status === 'refunded') clearCheckoutKey()
  if (after.status === 'refunded') clearPendingPayment()
}

function updateAddress(payment: Payment): void {
  const { status } = payment
  const orderId = orderIdOf(payment)
  if (status === 'confirming' || status === 'checking' || status === 'placed') {
    if (orderId !== undefined) history.replaceState(history.state, '', paymentPath(orderId))
  } else if (status === 'idle' && location.search !== '') {
    history.replaceState(history.state, '', paths.cart)
  }
}
