import * as z from 'zod/mini'
import { CURRENCY } from '#lib/constants.ts'
import type { PaymentOrder, PaymentState } from '#lib/contract/checkout.ts'
import type { Order } from '#lib/contract/orders.ts'
import { plainText } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { toRupees, type Paise } from '#lib/money.ts'
import { HOUR, MINUTE, toDayInIndia } from '#lib/time.ts'
import { readIdentity } from '../../live-shop/live-shop.ts'
import type { OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import { parseJson } from '../../platform/http/validate.ts'
import { enqueueMails } from '../../platform/mail/outbox.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { isoNow, toIso } from '../../platform/process/clock.ts'
import { PaymentError, type ProviderOrderDraft, type ProviderOrder } from '../../razorpay/client.ts'
import type { PaymentSettings } from '../../razorpay/settings.ts'
import { isSignedPayment } from '../../razorpay/signatures.ts'
import { readContact } from '../../settings/settings.ts'
import { wrongKeyMail } from '../mails.ts'
import { findLinesOf, findOrder, findOrderByProviderOrder, requireOwnOrder } from '../queries.ts'
import { withLines } from '../view.ts'
import {
  reconcileById,
  reconcileOrderPayments,
  throwUnavailable,
  type CheckoutDeps
} from './reconcile.ts'
import { releaseUnpaid } from '../checkout/reservations.ts'
import { isTooLate, setProviderOrder, setReservedUntil } from './transitions.ts'

/**
 * Order lines are copied into the provider order's notes, so that orders can be reconstructed after
 * a data loss.
 */
type NoteLine = Pick<OrderLineRow, 'product_id' | 'quantity' | 'percent'>

/** `checking`: the payment has not paid the order yet. A background job checks it again. */
type Confirmation =
  | { kind: 'paid'; order: OrderRow; isNew: boolean }
  | { kind: 'refunded' }
  | { kind: 'checking' }

interface PaymentOrderParts {
  /** The provider order's id; null if nothing has to be paid. */
  id: string | null
  orderId: string
  total: Paise
  holdUntil: string | null
  order?: Order
}

/**
 * Replaces RESERVATION_TIME if the shopper has paid but the provider has not confirmed the payment
 * yet.
 */
const PAID_RESERVATION_TIME = 72 * HOUR
const THEME = { color: '#9B2C1F' } as const
const NOTE_LIMITS = { maxNotes: 15, maxLength: 256 } as const

const CallbackSuccess = z.object({
  razorpay_order_id: plainText(),
  razorpay_payment_id: plainText(),
  razorpay_signature: plainText()
})
const CallbackFailure = z.object({ 'error[metadata]': z.string() })
const FailureMetadata = z.object({ order_id: plainText() })

// Concurrent requests for one order share one provider call.
const inProgress = new Map<string, Promise<string>>()

/**
 * Returns the id of the order's provider order. Saves it before it is sent to the browser, so that
 * a shopper can only pay an order that is in our database. With `lines`, the order is new, and the
 * provider is not searched for an existing one. Throws CHECKOUT_CHANGED, PAYMENTS_UNAVAILABLE, and
 * after releasing the reservation PAYMENT_ORDER_REFUSED.
 */
export async function ensureProviderOrder(
  deps: CheckoutDeps,
  order: OrderRow,
  lines?: readonly NoteLine[]
): Promise<string> {
  if (order.provider_order_id !== null) return order.provider_order_id
  const running = inProgress.get(order.id)
  if (running) return running
  const promise = findOrCreate(deps, order, lines).finally(() => inProgress.delete(order.id))
  inProgress.set(order.id, promise)
  return promise
}

async function findOrCreate(
  deps: CheckoutDeps,
  order: OrderRow,
  lines?: readonly NoteLine[]
): Promise<string> {
  const { id, total: amount, currency } = order
  const db = deps.database.kysely
  const notes = await makeNotes(deps, order, lines ?? (await findLinesOf(db, id)))
  reachFailpoint('before-provider')
  const draft = { amount, currency, receipt: id, notes }
  const providerOrder = await createProviderOrder(deps, draft, lines !== undefined).catch(
    async (error: unknown) => {
      if (error instanceof ShopError && error.code === 'PAYMENT_ORDER_REFUSED')
        await releaseRefused(deps, id)
      throw error
    }
  )
  reachFailpoint('after-provider')
  const saved =
    (await deps.write(trx => setProviderOrder(trx, id, providerOrder.id))) ??
    (await findOrder(db, id))
  reachFailpoint('provider-order-saved')
  if (saved?.payment_state !== 'awaiting' || saved.provider_order_id === null)
    throw new ShopError('CHECKOUT_CHANGED')
  return saved.provider_order_id
}

function releaseRefused({ write, clock }: CheckoutDeps, id: string): Promise<boolean> {
  return write(trx => releaseUnpaid(trx, id, 'refused', isoNow(clock)))
}

/**
 * After a network failure, the provider may have two orders with the same receipt. The shop uses
 * only one of them. Throws PAYMENTS_UNAVAILABLE, and PAYMENT_ORDER_REFUSED if the provider will
 * never accept the order.
 */
export async function createProviderOrder(
  deps: CheckoutDeps,
  draft: ProviderOrderDraft,
  isNew: boolean
): Promise<ProviderOrder> {
  const { gateway } = deps.payments
  const findExisting = async (): Promise<ProviderOrder | undefined> => {
    const found = await gateway.findOrder(draft.receipt)
    return found?.amount === draft.amount && found.currency === draft.currency ? found : undefined
  }
  try {
    const existing = isNew ? undefined : await findExisting()
    return existing ?? (await gateway.createOrder(draft).catch(retryCreate))
  } catch (cause) {
    if (!(cause instanceof PaymentError)) throw cause
    deps.log.warn({ err: cause, order: draft.receipt }, 'Creating the provider order failed')
    if (cause.problem === 'content') throw new ShopError('PAYMENT_ORDER_REFUSED', { cause })
    if (cause.problem === 'wrong_key') await warnAboutKey(deps)
    throw new ShopError('PAYMENTS_UNAVAILABLE', { cause })
  }

  async function retryCreate(error: unknown): Promise<ProviderOrder> {
    if (
      !(error instanceof PaymentError) ||
      error.kind !== 'unavailable' ||
      error.problem !== undefined
    )
      throw error
    return (await findExisting()) ?? gateway.createOrder(draft)
  }
}

/** The mail's id contains the day, so that one mail is sent a day. */
async function warnAboutKey({ database, write, clock }: CheckoutDeps): Promise<void> {
  const now = clock()
  const mail = wrongKeyMail(await readContact(database.kysely), toDayInIndia(now))
  await write(trx => enqueueMails(trx, [mail], toIso(now)))
}

async function makeNotes(
  deps: CheckoutDeps,
  order: OrderRow,
  lines: readonly NoteLine[]
): Promise<Record<string, string>> {
  const notes = { ...(await shopNotes(deps, order.id)), number: order.order_no }
  const maxItemNotes = NOTE_LIMITS.maxNotes - Object.keys(notes).length
  const texts: string[] = []
  for (const line of lines) {
    const text = `${line.quantity} x ${line.product_id}${line.percent === null ? '' : ` -${line.percent}%`}`
    const joined = `${texts.at(-1) ?? ''}, ${text}`
    if (texts.length > 0 && joined.length <= NOTE_LIMITS.maxLength) texts[texts.length - 1] = joined
    else texts.push(text)
  }
  const items = texts
    .slice(0, maxItemNotes)
    .map((text, index) => [`items${index + 1}`, text.slice(0, NOTE_LIMITS.maxLength)])
  return { ...notes, ...(Object.fromEntries(items) as Record<string, string>) }
}

export async function shopNotes(
  { database }: Pick<CheckoutDeps, 'database'>,
  receipt: string
): Promise<{ shop: string; order: string }> {
  const { id } = await readIdentity(database.kysely)
  return { shop: id, order: receipt }
}

export function toPaymentOrder(
  { keyId, isSandbox, checkoutUrl }: PaymentSettings,
  { id, orderId, total, holdUntil, order }: PaymentOrderParts
): PaymentOrder {
  return {
    id,
    amount: id === null ? 0 : total,
    currency: CURRENCY,
    key: keyId,
    orderId,
    total: toRupees(total),
    holdUntil,
    theme: THEME,
    sandbox: isSandbox,
    script: checkoutUrl,
    ...(order && { order })
  }
}

/** Extends the reservation if the payment can still become an order. Throws INVALID_PAYMENT. */
export async function confirmPayment(
  deps: CheckoutDeps,
  order: OrderRow,
  paymentId: string,
  signature: string
): Promise<Confirmation> {
  requireSignature(deps, order.provider_order_id, paymentId, signature)
  if (order.paid_payment_id === paymentId) return { kind: 'paid', order, isNew: false }
  try {
    const { payment, result } = await reconcileById(deps, paymentId)
    if (payment.order_id !== order.provider_order_id) throw new ShopError('INVALID_PAYMENT')
    if (result.kind === 'paid' || result.kind === 'refunded') return result
    if (result.kind === 'dead' || isTooLate(order, payment)) return { kind: 'checking' }
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    deps.log.warn({ err: error, order: order.id }, 'Payment could not be confirmed yet')
  }
  await extendPaidReservation(deps, order)
  return { kind: 'checking' }
}

export function requireSignature(
  { payments: { settings } }: Pick<CheckoutDeps, 'payments'>,
  providerOrderId: string | null,
  paymentId: string,
  signature: string
): void {
  const isSigned =
    providerOrderId !== null && isSignedPayment(settings, providerOrderId, paymentId, signature)
  if (!isSigned) throw new ShopError('INVALID_PAYMENT')
}

async function extendPaidReservation(
  { write, clock }: CheckoutDeps,
  { id, attempted_at }: OrderRow
): Promise<void> {
  const now = clock()
  const changes = {
    attempted_at: attempted_at ?? toIso(now),
    next_check_at: toIso(now + MINUTE)
  }
  await write(trx => setReservedUntil(trx, id, toIso(now + PAID_RESERVATION_TIME), changes))
}

/**
 * Handles the form that the provider's page posts where no dialog can be opened. Returns the
 * order's id.
 */
export async function receiveCallback(
  deps: CheckoutDeps,
  form: unknown
): Promise<string | undefined> {
  const success = CallbackSuccess.safeParse(form)
  if (!success.success) return (await findOrderOfFailure(deps, form))?.id
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = success.data
  const order = await findOrderByProviderOrder(deps.database.kysely, razorpay_order_id)
  if (!order) return undefined
  try {
    await confirmPayment(deps, order, razorpay_payment_id, razorpay_signature)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'INVALID_PAYMENT') return undefined
    deps.log.warn({ err: error, order: order.id }, 'Payment from the callback is not settled yet')
  }
  return order.id
}

async function findOrderOfFailure(
  { database }: CheckoutDeps,
  form: unknown
): Promise<OrderRow | undefined> {
  const failure = CallbackFailure.safeParse(form)
  const metadata = FailureMetadata.safeParse(parseJson(failure.data?.['error[metadata]'] ?? ''))
  return metadata.success
    ? findOrderByProviderOrder(database.kysely, metadata.data.order_id)
    : undefined
}

/**
 * Reconciles an order's payments, then returns the payment state. Throws ORDER_NOT_FOUND,
 * PAYMENTS_UNAVAILABLE.
 */
export async function syncOrder(
  deps: CheckoutDeps,
  userId: string,
  id: string
): Promise<PaymentState> {
  const db = deps.database.kysely
  const knownOrder = await requireOwnOrder(db, userId, id)
  if (knownOrder.fulfilment_status === null)
    await reconcileOrderPayments(deps, knownOrder).catch(throwUnavailable)
  const order = await requireOwnOrder(db, userId, id)
  return { state: toPaymentState(order), order: await withLines(deps, order) }
}

function toPaymentState({ payment_state, attempted_at }: OrderRow): PaymentState['state'] {
  if (payment_state === 'paid') return 'paid'
  if (payment_state === 'refund_due' || payment_state === 'refunded') return 'refunded'
  return attempted_at === null ? 'unpaid' : 'checking'
}
