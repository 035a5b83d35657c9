import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { User } from '#lib/contract/accounts.ts'
import type { OrderRequest, PaymentState } from '#lib/contract/checkout.ts'
import type { Order } from '#lib/contract/orders.ts'
import { plainText } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { HOUR, MINUTE, toIso } from '#lib/time.ts'
import type { OrderRow, WebhookEventRow } from '../../platform/db/order-tables.ts'
import type { Db } from '../../platform/db/tables.ts'
import { parseJson } from '../../platform/http/validate.ts'
import { postponeRow } from '../../platform/process/jobs.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { PaymentError } from '../../razorpay/client.ts'
import { placeUnitemisedOrder } from '../checkout/unitemised.ts'
import {
  type CheckoutDeps,
  findOrder,
  findOrderByProviderOrder,
  requireOwnOrder
} from '../queries.ts'
import { readOrderView } from '../view.ts'
import { reconcileById, reconcileOrderPayments, throwUnavailable } from './reconcile.ts'
import { lookUpDispute, lookUpRefund } from './reversals.ts'
import type { Reconciled } from './settle.ts'
import { isTooLate, listSettledIds, setReservedUntil } from './transitions.ts'

// Browsers and webhooks only say which payment to look up. The provider's answer decides.

/** If the shopper has paid, but the provider has not confirmed the payment yet. */
const PAID_RESERVATION_TIME = 72 * HOUR

/** Status 202: not paid yet, and a background job checks it again. */
export async function placeOrder(
  deps: CheckoutDeps,
  user: User,
  request: OrderRequest
): Promise<{ status: 200 | 201 | 202; order: Order }> {
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = request
  const db = deps.database.kysely
  const known = await findOrderByProviderOrder(db, razorpay_order_id)
  const order = known ?? (await placeUnitemisedOrder(deps, user, request))
  if (order.user_id !== user._id) throw new ShopError('ORDER_NOT_FOUND')
  const result = await confirmPayment(deps, order, razorpay_payment_id, razorpay_signature)
  if (result.outcome === 'paid')
    return {
      status: result.isNew ? 201 : 200,
      order: await readOrderView(deps, result.order ?? order, result.lines)
    }
  const latest = (await findOrder(db, order.id)) ?? order
  // Another payment may have paid this order. It stays valid, and only this payment is refunded.
  const isPlaced = latest.fulfilment_status !== null
  if (result.outcome === 'refunded' && !isPlaced) throw new ShopError('PAYMENT_REFUNDED')
  return { status: isPlaced ? 200 : 202, order: await readOrderView(deps, latest) }
}

/** Extends the reservation if the payment can still become an order. */
async function confirmPayment(
  deps: CheckoutDeps,
  order: OrderRow,
  paymentId: string,
  signature: string
): Promise<Reconciled> {
  const { write, clock, log, payments } = deps
  const providerOrderId = order.provider_order_id ?? ''
  if (!(await payments.isSigned(providerOrderId, paymentId, signature)))
    throw new ShopError('INVALID_PAYMENT')
  if (order.paid_payment_id === paymentId) return { outcome: 'paid', order }
  try {
    const { payment, ...result } = await reconcileById(deps, paymentId)
    if (payment.order_id !== order.provider_order_id) throw new ShopError('INVALID_PAYMENT')
    if (result.outcome !== 'attempted' || isTooLate(order, payment)) return result
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    log.warn({ err: error, order: order.id }, 'Payment could not be confirmed yet')
  }
  const now = clock()
  const changes = {
    attempted_at: order.attempted_at ?? toIso(now),
    next_check_at: toIso(now + MINUTE)
  }
  await write(trx => setReservedUntil(trx, order.id, toIso(now + PAID_RESERVATION_TIME), changes), {
    shows: 'nothing'
  })
  return { outcome: 'attempted' }
}

const CallbackSuccess = z.object({
  razorpay_order_id: plainText(),
  razorpay_payment_id: plainText(),
  razorpay_signature: plainText()
})
const CallbackFailure = z.object({ 'error[metadata]': z.string() })
const FailureMetadata = z.object({ order_id: plainText() })

/** The provider's page posts this form where no dialog can be opened. Returns the order's id. */
export async function receiveCallback(
  deps: CheckoutDeps,
  form: unknown
): Promise<string | undefined> {
  const db = deps.database.kysely
  const success = CallbackSuccess.safeParse(form)
  if (!success.success) {
    const text = CallbackFailure.safeParse(form).data?.['error[metadata]'] ?? ''
    const metadata = FailureMetadata.safeParse(parseJson(text))
    if (!metadata.success) return undefined
    return (await findOrderByProviderOrder(db, metadata.data.order_id))?.id
  }
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = success.data
  const order = await findOrderByProviderOrder(db, razorpay_order_id)
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

export async function syncOrder(
  deps: CheckoutDeps,
  userId: string,
  id: string
): Promise<PaymentState> {
  const db = deps.database.kysely
  const known = await requireOwnOrder(db, userId, id)
  if (known.fulfilment_status === null)
    await reconcileOrderPayments(deps, known).catch(throwUnavailable)
  const order = await requireOwnOrder(db, userId, id)
  return { state: toPaymentState(order), order: await readOrderView(deps, order) }
}

function toPaymentState({ payment_state, attempted_at }: OrderRow): PaymentState['state'] {
  if (payment_state === 'paid') return 'paid'
  if (payment_state === 'refund_due' || payment_state === 'refunded') return 'refunded'
  return attempted_at === null ? 'unpaid' : 'checking'
}

const Entity = z.optional(z.object({ entity: z.object({ id: plainText() }) }))
const Event = z.object({
  event: plainText(),
  payload: z.optional(z.object({ payment: Entity, refund: Entity, dispute: Entity }))
})

const MAX_BACKOFF = 60 * MINUTE
const AUTHORIZED = 'payment.authorized'
/** In ms. */
const BROWSER_HEAD_START = 300

/** A crash can't lose a stored event. Throws INVALID_PAYMENT, MALFORMED_REQUEST. */
export async function receiveWebhook(
  { database, write, clock, payments }: CheckoutDeps,
  webhook: {
    /** Unparsed, because the signature is computed from its exact bytes. */
    body: Buffer
    signature: string
    id: string | undefined
  }
): Promise<WebhookEventRow | undefined> {
  const { body, signature } = webhook
  if (!(await payments.isSignedWebhook(body, signature))) {
    throw new ShopError('INVALID_PAYMENT', { overrideStatus: 401 })
  }
  const event = readEvent(body, webhook.id, clock())
  // Usually the browser has already reported the payment.
  if (!event || (await isSettled(database.kysely, event))) return undefined
  const { numInsertedOrUpdatedRows } = await write(
    trx =>
      trx
        .insertInto('webhook_events')
        .values(event)
        .onConflict(conflict => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow(),
    { shows: 'nothing' }
  )
  reachFailpoint('webhook-stored')
  // A payment that is only authorised waits for the webhook of its capture, or for the job.
  return numInsertedOrUpdatedRows === 1n && event.type !== AUTHORIZED ? event : undefined
}

async function isSettled(db: Db, { payment_id, refund_id, dispute_id }: WebhookEventRow) {
  const isPaymentEvent = payment_id !== null && refund_id === null && dispute_id === null
  return isPaymentEvent && (await listSettledIds(db, [payment_id])).has(payment_id)
}

export async function processAfterBrowser(
  deps: CheckoutDeps,
  event: WebhookEventRow
): Promise<void> {
  await sleep(BROWSER_HEAD_START)
  await processEvent(deps, event)
}

/** Webhook data is not trusted. Throws PaymentError after scheduling a retry. */
export async function processEvent(deps: CheckoutDeps, event: WebhookEventRow): Promise<void> {
  const { database, write, clock, log } = deps
  const { id, payment_id, refund_id, dispute_id } = event
  try {
    if (dispute_id !== null) await lookUpDispute(deps, dispute_id)
    else if (refund_id !== null) await lookUpRefund(deps, refund_id)
    else if (payment_id !== null && !(await isSettled(database.kysely, event)))
      await reconcileReported(deps, payment_id)
  } catch (error) {
    if (!(error instanceof PaymentError && error.kind === 'refused')) {
      const delay = Math.min(MINUTE * 2 ** event.attempts, MAX_BACKOFF)
      await write(trx => postponeRow(trx, 'webhook_events', id, toIso(clock() + delay)), {
        shows: 'nothing'
      })
      throw error
    }
    log.warn(
      { err: error, event: id },
      'Provider refuses to look up the payment, refund or dispute of a webhook'
    )
  }
  await write(
    trx => trx.updateTable('webhook_events').set({ next_at: null }).where('id', '=', id).execute(),
    { shows: 'nothing' }
  )
}

async function reconcileReported(deps: CheckoutDeps, paymentId: string) {
  const { payment, outcome } = await reconcileById(deps, paymentId)
  if (outcome !== 'attempted' && outcome !== 'unpaid') return
  const order = await findOrderByProviderOrder(deps.database.kysely, payment.order_id ?? '')
  const isAttempted = order?.attempted_at !== null
  // My Orders shows "Checking payment" while `attempted_at` is set.
  if (order?.payment_state === 'awaiting' && isAttempted !== (outcome === 'attempted'))
    await reconcileOrderPayments(deps, order)
}

function readEvent(body: Buffer, id: string | undefined, now: number): WebhookEventRow | undefined {
  const parsed = Event.safeParse(parseJson(body.toString()))
  if (!parsed.success) throw new ShopError('MALFORMED_REQUEST')
  const { event: type, payload } = parsed.data
  const payment_id = payload?.payment?.entity.id ?? null
  const refund_id = (type.startsWith('refund.') && payload?.refund?.entity.id) || null
  const dispute_id = (type.startsWith('payment.dispute.') && payload?.dispute?.entity.id) || null
  if (payment_id === null && refund_id === null && dispute_id === null) return undefined
  return {
    id: id ?? createHash('sha256').update(body).digest('hex'),
    type: type.slice(0, 100),
    payment_id,
    refund_id,
    dispute_id,
    attempts: 0,
    next_at: toIso(now + MINUTE),
    received_at: toIso(now)
  }
}
