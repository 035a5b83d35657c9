import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { plainText } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { MINUTE } from '#lib/time.ts'
import type { WebhookEventRow } from '../../platform/db/payment-tables.ts'
import { parseJson } from '../../platform/http/validate.ts'
import { postponeRow } from '../../platform/jobs/loop.ts'
import { toIso } from '../../platform/process/clock.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { PaymentError } from '../../razorpay/client.ts'
import { isSignedWebhook } from '../../razorpay/config.ts'
import { findOrderByProviderOrder, type CheckoutDeps } from '../queries.ts'
import { listSettledIds } from './transitions.ts'
import { reconcileById, reconcileOrderPayments } from './reconcile.ts'
import { lookUpDispute, lookUpRefund } from './reversals.ts'

export interface Webhook {
  /** Unparsed, because the signature is computed from its exact bytes. */
  body: Buffer
  signature: string
  /** Repeated deliveries of an event have the same id. */
  id: string | undefined
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
  webhook: Webhook
): Promise<WebhookEventRow | undefined> {
  if (!isSignedWebhook(payments.settings, webhook.body, webhook.signature)) {
    throw new ShopError('INVALID_PAYMENT', { overrideStatus: 401 })
  }
  const event = readEvent(webhook, clock())
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

async function isSettled(
  db: CheckoutDeps['database']['kysely'],
  { payment_id, refund_id, dispute_id }: WebhookEventRow
): Promise<boolean> {
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

async function reconcileReported(deps: CheckoutDeps, paymentId: string): Promise<void> {
  const { payment, outcome } = await reconcileById(deps, paymentId)
  if (outcome !== 'attempted' && outcome !== 'unpaid') return
  const order = await findOrderByProviderOrder(deps.database.kysely, payment.order_id ?? '')
  const isAttempted = order?.attempted_at !== null
  // My Orders shows "Checking payment" while `attempted_at` is set.
  if (order?.payment_state === 'awaiting' && isAttempted !== (outcome === 'attempted'))
    await reconcileOrderPayments(deps, order)
}

function readEvent({ body, id }: Webhook, now: number): WebhookEventRow | undefined {
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
    // Then a background job processes the event.
    next_at: toIso(now + MINUTE),
    received_at: toIso(now)
  }
}
