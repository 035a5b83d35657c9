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
import { promiseMail, promiseMails } from '../../queries/outbox.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { owe } from './create-refund.ts'

/** How often a refund that the provider gives up is begun anew, before a person must see to it. */
const MOST_TRIES = 3
/** From so many attempts on that came to nothing a person should know. */
const WORRYING = 5
const ASK_AGAIN = HOUR
const LONGEST_PAUSE = HOUR
/** With these the order itself has ended; the others concern money that came besides. */
const OF_THE_ORDER: readonly RefundReason[] = ['too_late', 'cancelled']

/** Sends a refund that is owed, or asks how one stands that was sent. Throws PaymentError, and is tried again later. */
export async function processRefund(deps: CheckoutDeps, refund: RefundRow): Promise<void> {
  try {
    const told = refund.state === 'due' ? await send(deps, refund) : await ask(deps, refund)
    failpoint('after-refund')
    await noteTold(deps, refund, told)
  } catch (error) {
    await postpone(deps, refund)
    throw error
  }
}

/** The provider has told of a refund, by its own id. Throws PaymentError. */
export async function updateRefundById(deps: CheckoutDeps, providerRefundId: string): Promise<void> {
  const { kysely } = deps.database
  const told = await deps.payments.gateway.fetchRefund(providerRefundId)
  const known = await findProviderRefund(kysely, told.id)
  const refund = known ?? (told.receipt ? await findRefund(kysely, told.receipt) : undefined)
  // Others may be made by a person, on the provider's own pages.
  if (refund) await noteTold(deps, refund, told)
}

async function send({ payments: { gateway } }: CheckoutDeps, refund: RefundRow): Promise<ProviderRefund> {
  const { payment_id, id, body, amount } = refund
  try {
    return await gateway.refund(payment_id, id, body)
  } catch (error) {
    if (!(error instanceof PaymentError) || error.kind !== 'refused') throw error
    // It may have been made before, by us or by a person.
    const made = (await gateway.listRefunds(payment_id)).filter(each => each.status !== 'failed')
    const found = made.find(({ receipt }) => receipt === id) ?? made.find(each => each.amount === amount)
    if (!found) throw error
    return found
  }
}

function ask({ payments }: CheckoutDeps, { provider_refund_id }: RefundRow): Promise<ProviderRefund> {
  return payments.gateway.fetchRefund(provider_refund_id ?? '')
}

function noteTold(deps: CheckoutDeps, refund: RefundRow, told: ProviderRefund): Promise<void> {
  const now = deps.clock()
  return deps.write(trx =>
    told.status === 'failed' ? beginAnew(trx, deps, refund, told, now) : advance(trx, deps, refund, told, now)
  )
}

async function advance(
  trx: Trx,
  deps: CheckoutDeps,
  { id, payment_id, order_id, reason }: RefundRow,
  told: ProviderRefund,
  now: number
): Promise<void> {
  const isDone = told.status === 'processed'
  await (isDone ? markRefunded(trx, payment_id) : lockPayment(trx, payment_id))
  if (isDone && order_id !== null && OF_THE_ORDER.includes(reason)) await markOrderRefunded(trx, order_id)
  const changed = await changeRefund(trx, id, isDone ? ['due', 'sent'] : ['due'], {
    state: isDone ? 'processed' : 'sent',
    provider_refund_id: told.id,
    next_at: isDone ? null : new Date(now + ASK_AGAIN).toISOString()
  })
  const order = changed?.order_id ? await findOrder(trx, changed.order_id) : undefined
  if (changed && order) await promiseMails(trx, refundedMails(deps, order, changed), new Date(now).toISOString())
  // Still on its way: it is asked about again.
  if (!changed && !isDone) await postponeRefund(trx, id, new Date(now + ASK_AGAIN).toISOString())
}

/** The provider could not do it: it is owed anew, under a new key. */
async function beginAnew(
  trx: Trx,
  deps: CheckoutDeps,
  { id, payment_id, seq, order_id, amount, reason }: RefundRow,
  told: ProviderRefund,
  now: number
): Promise<void> {
  await lockPayment(trx, payment_id)
  const failed = await changeRefund(trx, id, ['due', 'sent'], {
    state: 'failed',
    provider_refund_id: told.id,
    next_at: null
  })
  if (!failed) return
  if (seq < MOST_TRIES) {
    const debt = { orderId: order_id, reason, now, seq: seq + 1, after: HOUR }
    await owe(trx, { id: payment_id, amount }, debt)
  } else await promiseMail(trx, refundStuckMail(deps, failed), new Date(now).toISOString())
}

async function postpone(deps: CheckoutDeps, refund: RefundRow): Promise<void> {
  const now = deps.clock()
  const pause = Math.min(MINUTE * 2 ** refund.attempts, LONGEST_PAUSE)
  await deps.write(async trx => {
    await postponeRefund(trx, refund.id, new Date(now + pause).toISOString())
    if (refund.attempts + 1 === WORRYING) {
      await promiseMail(trx, refundStuckMail(deps, refund), new Date(now).toISOString())
    }
  })
}
