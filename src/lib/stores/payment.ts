import { atom, readonlyType } from 'nanostores'
import { api, apiBase } from '../api.ts'
import type { Destination } from '../checkout/checkout-form.ts'
import { next, orderOf, type Payment, type PaymentEvent, type Proof, type Said } from '../checkout/payment.ts'
import { windowOptions } from '../checkout/window-options.ts'
import type { CartEntry } from '../contract/cart.ts'
import type { PaymentOrder } from '../contract/orders.ts'
import { CHECKOUT_MESSAGES, totalNow } from '../checkout/messages.ts'
import { MESSAGES } from '../messages.ts'
import { formatRupees } from '../money.ts'
import { paymentPath, paths } from '../paths.ts'
import { ShopError, wordsOf } from '../shop-error.ts'
import { checkoutKey, renewCheckoutKey } from './checkout-key.ts'
import { followPayment } from './payment-follow.ts'
import { loadProvider, openProvider } from './payment-window.ts'
import { forgetPaying, keepPaying, paid, payingOrder } from './paying.ts'
import { takeQuote } from './quote.ts'

/** All that is paid for. */
export interface Checkout {
  /** The total that the shopper has seen, in rupees. */
  amount: number
  items: CartEntry[]
  destination: Destination
  shopName: string
}

const $state = atom<Payment>({ at: 'idle' })

export const $payment = readonlyType($state)

/** The world outside, as tests replace it. */
const world = { load: loadProvider, open: openProvider }

export function configurePayment(changes: Partial<typeof world>): void {
  Object.assign(world, changes)
}

/** From Pay Now to the open window. What the shop finds wrong with fields is thrown as ShopError; all else is in `$payment`. */
export async function pay(checkout: Checkout): Promise<void> {
  if ($state.get().at !== 'idle') return
  happen({ is: 'pressed' })
  const order = await startOrder(checkout)
  if (!order) return
  keepPaying(order.orderId, checkout.items)
  if (order.order) return happen({ is: 'settled', order: order.order })
  happen({ is: 'ordered', orderId: order.orderId })
  try {
    await world.load(order.script)
    open(order, checkout)
    happen({ is: 'opened' })
  } catch {
    refuse({ title: CHECKOUT_MESSAGES.paymentScriptFailed, kind: 'failure' })
  }
}

/**
 * Opens the page at an order: on the way back from the provider, after a reload, or from a bookmark. Somebody who is not
 * `known` has to log in first.
 */
export async function returnTo(orderId: string, known = true): Promise<void> {
  happen({ is: 'returned', orderId, known })
  if (known) await ask(orderId)
}

/** Looks after the order that this tab was paying when it was left. Nobody waits for it, so that only news are told. */
export async function resumePaying(): Promise<void> {
  const orderId = payingOrder()
  if (orderId === undefined) return
  try {
    const state = await api('POST /payments/{orderId}/sync', { params: { orderId } })
    if (state.order.status === 'expired' || state.order.status === 'cancelled') forgetPaying()
    if (state.state === 'unpaid' || $state.get().at !== 'idle') return
    happen({ is: 'returned', orderId, known: true })
    happen({ is: 'told', state })
    follow()
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
  }
}

/** Lets go of an order that the page has shown. */
export function leavePayment(): void {
  happen({ is: 'left' })
}

async function startOrder(checkout: Checkout, again = false): Promise<PaymentOrder | undefined> {
  const { amount, items, destination } = checkout
  const body = { amount, items, ...destination }
  try {
    return await api('POST /payments/razorpay-order', { body: { ...body, checkoutKey: checkoutKey(body) } })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'CHECKOUT_CHANGED') renewCheckoutKey()
    if (error.code === 'CHECKOUT_CHANGED' && !again) return startOrder(checkout, true)
    if (error.quote) takeQuote(error.quote)
    refuse(error.fields ? undefined : saidOf(error))
    if (error.fields) throw error
    return undefined
  }
}

function saidOf(error: ShopError): Said {
  const { quote } = error
  return quote
    ? { title: error.message, text: totalNow(formatRupees(quote.total)), kind: 'failure' }
    : { title: CHECKOUT_MESSAGES.paymentOrderFailed, text: wordsOf(error, MESSAGES.tryAgain), kind: 'failure' }
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
    onPaid: proof => void finalise(proof),
    onClosed: () => void close(orderId)
  })
  world.open(options, reason => happen({ is: 'declined', reason }))
}

async function finalise(proof: Proof): Promise<void> {
  happen({ is: 'paid', proof })
  if ($state.get().at !== 'finalising') return
  await tell(proof)
  follow()
}

async function close(orderId: string): Promise<void> {
  happen({ is: 'closed' })
  if ($state.get().at === 'asking') await ask(orderId)
}

/** Brings the proof to the shop. */
async function tell(proof: Proof): Promise<void> {
  try {
    happen({ is: 'answered', order: await api('POST /orders', { body: proof }) })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'PAYMENT_REFUNDED') return happen({ is: 'moneyBack', reason: error.message })
    const final = error.code === 'INVALID_PAYMENT' || error.status === 404
    happen({ is: 'untold', reason: wordsOf(error, CHECKOUT_MESSAGES.paymentContactSupport), final })
  }
}

/** Asks how a payment stands, and goes on asking where that is not decided. */
async function ask(orderId: string): Promise<void> {
  await askOnce(orderId)
  follow()
}

async function askOnce(orderId: string): Promise<void> {
  try {
    happen({ is: 'told', state: await api('POST /payments/{orderId}/sync', { params: { orderId } }) })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    happen({ is: 'unheard', reason: error.message })
  }
}

function follow(): void {
  followPayment($state, payment => (payment.proof ? tell(payment.proof) : askOnce(payment.orderId)))
}

function refuse(said: Said | undefined): void {
  happen({ is: 'refused', ...(said && { said }) })
}

function happen(event: PaymentEvent): void {
  const before = $state.get()
  const after = next(before, event)
  if (after === before) return
  $state.set(after)
  showInAddress(after)
  if (after.at === 'placed') paid(after.order)
  if (after.at === 'placed' || after.at === 'refunded') renewCheckoutKey()
  if (after.at === 'refunded') forgetPaying()
}

/** From the payment on, a reload and a bookmark find the order. */
function showInAddress(payment: Payment): void {
  const { at } = payment
  const orderId = orderOf(payment)
  if (at === 'finalising' || at === 'checking' || at === 'placed') {
    if (orderId !== undefined) history.replaceState(history.state, '', paymentPath(orderId))
  } else if (at === 'idle' && location.search !== '') {
    history.replaceState(history.state, '', paths.cart)
  }
}
