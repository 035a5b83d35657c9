import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { ShopError } from '#lib/errors.ts'
import { MINUTE } from '#lib/time.ts'
import type { WebhookEventRow } from '../../db/order-tables.ts'
import { failpoint } from '../../failpoints.ts'
import { isSignedWebhook } from '../../gateways/payment-signatures.ts'
import { PaymentError } from '../../gateways/payments.ts'
import { findOrderByProviderOrder } from '../../queries/orders/orders.ts'
import { findPayment } from '../../queries/orders/payments.ts'
import { closeEvent, insertEvent, isOpenEvent, postponeEvent } from '../../queries/orders/webhook-events.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { reconcileById } from './reconcile-by-id.ts'
import { pollOrder } from './poll-order.ts'
import { updateRefundById } from './refunds.ts'

/** A notice as it arrived. */
export interface Notice {
  /** The very bytes that were signed. */
  body: Buffer
  signature: string
  /** The provider's name for it, the same at each delivery. */
  id: string | undefined
}

const Entity = z.optional(z.object({ entity: z.object({ id: z.string() }) }))
const Event = z.object({
  event: z.string(),
  payload: z.optional(z.object({ payment: Entity, refund: Entity }))
})

const LONGEST_PAUSE = 60 * MINUTE
const ALLOWED = 'payment.authorized'

/**
 * Keeps a notice of the provider's, so that nothing of it is lost once it is answered. Answers what is still to be done
 * about it. Throws ShopError INVALID_PAYMENT for one that the provider has not signed.
 */
export async function receiveWebhook(deps: CheckoutDeps, notice: Notice): Promise<WebhookEventRow | undefined> {
  const { database, write, clock, payments } = deps
  if (!isSignedWebhook(payments.settings, notice.body, notice.signature)) {
    throw new ShopError('INVALID_PAYMENT', { status: 401 })
  }
  const event = readEvent(notice, clock())
  if (!event) return undefined
  const { payment_id, refund_id } = event
  // Most notices tell what the browser has told before: they are answered without a write.
  const known = payment_id !== null && refund_id === null ? await findPayment(database.kysely, payment_id) : undefined
  if (known && (known.status === 'captured' || known.status === 'refunded')) return undefined
  const isNew = await write(trx => insertEvent(trx, event))
  failpoint('wh-stored')
  // What the bank has just allowed the provider collects by itself, and tells of that; if not, it is looked into later.
  return isNew && event.type !== ALLOWED ? { ...event, attempts: 0 } : undefined
}

/** Looks into what a notice speaks of; the notice itself is believed in nothing. What fails is tried again later. */
export async function processEvent(deps: CheckoutDeps, event: WebhookEventRow): Promise<void> {
  const { database, write, clock, log } = deps
  try {
    if (event.refund_id !== null) await updateRefundById(deps, event.refund_id)
    else if (event.payment_id !== null) await learnPayment(deps, event.payment_id)
  } catch (error) {
    if (!(error instanceof PaymentError && error.kind === 'refused')) {
      const pause = Math.min(MINUTE * 2 ** event.attempts, LONGEST_PAUSE)
      await write(trx => postponeEvent(trx, event.id, new Date(clock() + pause).toISOString()))
      throw error
    }
    log.warn({ err: error, event: event.id }, 'A notice speaks of what the payment provider does not know')
  }
  // Whoever has settled the payment has mostly closed it already.
  if (await isOpenEvent(database.kysely, event.id)) await write(trx => closeEvent(trx, event.id))
}

async function learnPayment(deps: CheckoutDeps, paymentId: string): Promise<void> {
  const { payment, finalised } = await reconcileById(deps, paymentId)
  if (finalised.kind !== 'open' && finalised.kind !== 'dead') return
  const order = await findOrderByProviderOrder(deps.database.kysely, payment.order_id ?? '')
  const isShown = order?.attempted_at !== null
  // The shopper is shown that it is being checked, or no longer.
  if (order?.payment_state === 'awaiting' && isShown !== (finalised.kind === 'open')) await pollOrder(deps, order)
}

function readEvent({ body, id }: Notice, now: number): Omit<WebhookEventRow, 'attempts'> | undefined {
  const found = Event.safeParse(parsed(body))
  if (!found.success) throw new ShopError('MALFORMED_REQUEST')
  const { event, payload } = found.data
  const paymentId = payload?.payment?.entity.id
  const refundId = event.startsWith('refund.') ? payload?.refund?.entity.id : undefined
  if (paymentId === undefined && refundId === undefined) return undefined
  return {
    id: id ?? createHash('sha256').update(body).digest('hex'),
    type: event.slice(0, 100),
    payment_id: paymentId ?? null,
    refund_id: refundId ?? null,
    // It is processed right away; this is for when that was cut short.
    next_at: new Date(now + MINUTE).toISOString(),
    received_at: new Date(now).toISOString()
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}
