import { HOUR, MINUTE } from '#lib/time.ts'
import type { RefundReason, RefundRow } from '../../db/order-tables.ts'
import type { Trx } from '../../db/tables.ts'
import { failpoint } from '../../failpoints.ts'
import { PaymentError, type ProviderRefund } from '../../gateways/payments.ts'
import { refundedMails, refundStuckMail } from '../../mails/refunded-mails.ts'
import { findOrder } from '../../queries/orders/orders.ts'
import { lockPayment, markRefunded } from '../../queries/orders/payments.ts'
import { changeRefund, findProviderRefund, findRefund, postponeRefund } from '../../queries/orders/refunds.ts'
import { markOrderRefunded } from '../../queries/orders/transitions.ts'
import { enqueueMail, enqueueMails } from '../../queries/outbox.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { createRefund } from './create-refund.ts'

/** After so many failed refunds of a payment the shop is mailed. */
const MAX_REFUNDS = 3
/** The shop is mailed once a refund has been attempted this often. */
const ALERT_AFTER_ATTEMPTS = 5
const CHECK_INTERVAL = HOUR
const MAX_BACKOFF = HOUR
/** Refunds for these reasons end the order; the others return a payment that the order did not need. */
const ENDING_REASONS: readonly RefundReason[] = ['too_late', 'cancelled']

/** Sends a due refund or checks one that was sent. Throws PaymentError and is then retried. */
export async function processRefund(deps: CheckoutDeps, refund: RefundRow): Promise<void> {
  try {
    const providerRefund = refund.state === 'due' ? await send(deps, refund) : await fetchSent(deps, refund)
    failpoint('after-refund')
    await applyProviderRefund(deps, refund, providerRefund)
  } catch (error) {
    await postpone(deps, refund)
    throw error
  }
}

/** Throws PaymentError. */
export async function updateRefundById(deps: CheckoutDeps, providerRefundId: string): Promise<void> {
  const { kysely } = deps.database
  const providerRefund = await deps.payments.gateway.fetchRefund(providerRefundId)
  const byProviderId = await findProviderRefund(kysely, providerRefund.id)
  const refund = byProviderId ?? (providerRefund.receipt ? await findRefund(kysely, providerRefund.receipt) : undefined)
  // Refunds made on the provider's dashboard have no row here.
  if (refund) await applyProviderRefund(deps, refund, providerRefund)
}

async function send({ payments: { gateway } }: CheckoutDeps, refund: RefundRow): Promise<ProviderRefund> {
  const { payment_id, id, body, amount } = refund
  try {
    return await gateway.refund(payment_id, id, body)
  } catch (error) {
    if (!(error instanceof PaymentError) || error.kind !== 'refused') throw error
    // An earlier attempt or a person may have made it.
    const refunds = (await gateway.listRefunds(payment_id)).filter(each => each.status !== 'failed')
    const match = refunds.find(({ receipt }) => receipt === id) ?? refunds.find(each => each.amount === amount)
    if (!match) throw error
    return match
  }
}

function fetchSent({ payments }: CheckoutDeps, { provider_refund_id }: RefundRow): Promise<ProviderRefund> {
  return payments.gateway.fetchRefund(provider_refund_id ?? '')
}

function applyProviderRefund(deps: CheckoutDeps, refund: RefundRow, providerRefund: ProviderRefund): Promise<void> {
  const now = deps.clock()
  return deps.write(trx =>
    providerRefund.status === 'failed'
      ? retryFailed(trx, deps, refund, providerRefund, now)
      : saveProgress(trx, deps, refund, providerRefund, now)
  )
}

async function saveProgress(
  trx: Trx,
  deps: CheckoutDeps,
  { id, payment_id, order_id, reason }: RefundRow,
  providerRefund: ProviderRefund,
  now: number
): Promise<void> {
  const isProcessed = providerRefund.status === 'processed'
  await (isProcessed ? markRefunded(trx, payment_id) : lockPayment(trx, payment_id))
  if (isProcessed && order_id !== null && ENDING_REASONS.includes(reason)) await markOrderRefunded(trx, order_id)
  const changed = await changeRefund(trx, id, isProcessed ? ['due', 'sent'] : ['due'], {
    state: isProcessed ? 'processed' : 'sent',
    provider_refund_id: providerRefund.id,
    next_at: isProcessed ? null : new Date(now + CHECK_INTERVAL).toISOString()
  })
  const order = changed?.order_id ? await findOrder(trx, changed.order_id) : undefined
  if (changed && order) await enqueueMails(trx, refundedMails(deps, order, changed), new Date(now).toISOString())
  if (!changed && !isProcessed) await postponeRefund(trx, id, new Date(now + CHECK_INTERVAL).toISOString())
}

/** The provider failed the refund: create another one with a new idempotency key. */
async function retryFailed(
  trx: Trx,
  deps: CheckoutDeps,
  { id, payment_id, seq, order_id, amount, reason }: RefundRow,
  providerRefund: ProviderRefund,
  now: number
): Promise<void> {
  await lockPayment(trx, payment_id)
  const failed = await changeRefund(trx, id, ['due', 'sent'], {
    state: 'failed',
    provider_refund_id: providerRefund.id,
    next_at: null
  })
  if (!failed) return
  if (seq < MAX_REFUNDS) {
    const request = { orderId: order_id, reason, now, seq: seq + 1, after: HOUR }
    await createRefund(trx, { id: payment_id, amount }, request)
  } else await enqueueMail(trx, refundStuckMail(deps, failed), new Date(now).toISOString())
}

async function postpone(deps: CheckoutDeps, refund: RefundRow): Promise<void> {
  const now = deps.clock()
  const delay = Math.min(MINUTE * 2 ** refund.attempts, MAX_BACKOFF)
  await deps.write(async trx => {
    await postponeRefund(trx, refund.id, new Date(now + delay).toISOString())
    if (refund.attempts + 1 === ALERT_AFTER_ATTEMPTS) {
      await enqueueMail(trx, refundStuckMail(deps, refund), new Date(now).toISOString())
    }
  })
}
