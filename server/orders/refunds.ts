import type { FastifyInstance } from 'fastify'
import { toPaise } from '#lib/money.ts'
import { DAY, HOUR, MINUTE, type IsoTime } from '#lib/time.ts'
import type { RefundReason, RefundRow } from '../platform/db/order-tables.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { listDueRows, postponeRow } from '../platform/jobs/loop.ts'
import { enqueueMail, enqueueMails } from '../platform/mail/outbox.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import { isoNow, toIso } from '../platform/process/clock.ts'
import { PaymentError, type ProviderRefund } from '../razorpay/client.ts'
import { readMailDeps, refundedMails, refundStuckMail } from './mails.ts'
import { findOrder } from './order-queries.ts'
import { findPayment, listReversalIds, lockPayment, markRefunded, sumReversals } from './payment-queries.ts'
import { markOrderRefunded } from './transitions.ts'

type RefundDeps = Pick<FastifyInstance, 'database' | 'write' | 'clock' | 'payments' | 'config'>

interface RefundRequest {
  orderId: string | null
  reason: RefundReason
  now: number
  /** Number of the change that is refunded, or 0 for everything that is left. */
  part?: number
  /** True if it replaces a failed refund of the same part. */
  isRetry?: boolean
  /** Delay before the first attempt, in ms. */
  delay?: number
}

/** Maximum number of refunds created for one part of a payment. If the last one fails, the shop gets a mail. */
const MAX_REFUNDS = 3
/** If this many attempts of one refund fail, the shop gets a mail. */
const ALERT_AFTER_ATTEMPTS = 5
const CHECK_INTERVAL = HOUR
const MAX_BACKOFF = HOUR
/** At this age, a refund that the provider refuses is no longer sent or checked. */
const GIVE_UP_AGE = DAY
/** When everything has gone back, a refund for one of these reasons changes the state of the order to `refunded`. */
const ENDING_REASONS: readonly RefundReason[] = ['too_late', 'cancelled', 'changed']

/** Returns false if this part has a refund, or if refunds would exceed the payment. Lock the payment's row first. */
export async function createRefund(
  trx: Trx,
  payment: { id: string; amount: number },
  { orderId, reason, now, part = 0, isRetry = false, delay = 0 }: RefundRequest
): Promise<boolean> {
  const earlier = await trx
    .selectFrom('refunds')
    .select(['seq', 'part', 'state'])
    .where('payment_id', '=', payment.id)
    .execute()
  const ofPart = earlier.filter(refund => refund.part === part && !(isRetry && refund.state === 'failed'))
  const paid = (await findPayment(trx, payment.id))?.amount ?? 0
  if (ofPart.length > 0 || (await sumRefunded(trx, payment.id)) + payment.amount > paid) return false
  const seq = Math.max(0, ...earlier.map(refund => refund.seq)) + 1
  const id = `rf_${payment.id}_${seq}`
  const body = { amount: payment.amount, speed: 'normal', notes: { order: orderId ?? '', reason }, receipt: id }
  await trx
    .insertInto('refunds')
    .values({
      id,
      payment_id: payment.id,
      seq,
      part,
      order_id: orderId,
      amount: toPaise(payment.amount),
      reason,
      body: JSON.stringify(body),
      state: 'due',
      attempts: 0,
      next_at: toIso(now + delay),
      created_at: toIso(now)
    })
    .execute()
  return true
}

/** Returns the sum in paise of the shop's refunds that have not failed, and of what has gone back at the provider. */
export async function sumRefunded(db: Db, paymentId: string): Promise<number> {
  return (await sumShopRefunds(db, paymentId, ['due', 'sent', 'processed'])) + (await sumReversals(db, paymentId))
}

export async function sumShopRefunds(
  db: Db,
  paymentId: string,
  states: readonly RefundRow['state'][]
): Promise<number> {
  const { sum } = await db
    .selectFrom('refunds')
    .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
    .where('payment_id', '=', paymentId)
    .where('state', 'in', states)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Sends a due refund, or checks a sent one. Throws PaymentError after scheduling a retry. */
export async function processRefund(deps: RefundDeps, refund: RefundRow): Promise<void> {
  try {
    const { gateway } = deps.payments
    const providerRefund =
      refund.state === 'due'
        ? await sendRefund(deps, refund)
        : await gateway.fetchRefund(refund.provider_refund_id ?? '')
    reachFailpoint('after-refund')
    await applyProviderRefund(deps, refund, providerRefund)
  } catch (error) {
    if (refund.state === 'due' && isRefusal(error) && (await isOvertaken(deps, refund)))
      await failOvertaken(deps, refund)
    else if (isFinal(deps, refund, error)) await stopRefund(deps, refund)
    else await scheduleRetry(deps, refund)
    throw error
  }
}

/** True if the provider still refuses after a day, for example because the payment belongs to a former account. */
function isFinal({ clock }: RefundDeps, { attempts, created_at }: RefundRow, error: unknown): boolean {
  return isRefusal(error) && attempts >= ALERT_AFTER_ATTEMPTS && clock() - Date.parse(created_at) >= GIVE_UP_AGE
}

function isRefusal(error: unknown): boolean {
  return error instanceof PaymentError && error.kind === 'refused'
}

/** True if so much has gone back at the provider that the refund can never be made. */
async function isOvertaken({ database }: RefundDeps, { payment_id }: RefundRow): Promise<boolean> {
  const paid = (await findPayment(database.kysely, payment_id))?.amount ?? 0
  return (await sumRefunded(database.kysely, payment_id)) > paid
}

async function failOvertaken({ write }: RefundDeps, refund: RefundRow): Promise<void> {
  await write(async trx => {
    await lockPayment(trx, refund.payment_id)
    await changeRefund(trx, refund.id, ['due'], { state: 'failed', next_at: null })
    await endPayment(trx, refund)
  })
}

/** An administrator then decides about the refund. */
async function stopRefund(deps: RefundDeps, { id, state }: RefundRow): Promise<void> {
  await deps.write(async trx => {
    const stopped = await changeRefund(trx, id, [state], { next_at: null })
    if (stopped) await mailStopped(trx, deps, stopped)
  })
}

async function mailStopped(trx: Trx, deps: RefundDeps, refund: RefundRow): Promise<void> {
  const at = isoNow(deps.clock)
  await enqueueMail(trx, refundStuckMail(await readMailDeps(trx, deps), refund, { isStopped: true, at }), at)
}

/** Returns false if the refund was not made by the shop. */
export async function updateRefund(deps: RefundDeps, providerRefund: ProviderRefund): Promise<boolean> {
  const refund = await findShopRefund(deps.database.kysely, providerRefund)
  if (refund) await applyProviderRefund(deps, refund, providerRefund)
  return refund !== undefined
}

/** Returns undefined if the refund was not made by the shop. */
export async function findShopRefund(db: Db, { id, receipt }: ProviderRefund): Promise<RefundRow | undefined> {
  const refunds = db.selectFrom('refunds').selectAll()
  return (
    (await refunds.where('provider_refund_id', '=', id).executeTakeFirst()) ??
    (await refunds.where('id', '=', receipt ?? '').executeTakeFirst())
  )
}

async function sendRefund({ payments: { gateway }, database }: RefundDeps, refund: RefundRow): Promise<ProviderRefund> {
  const { payment_id, id, body, amount } = refund
  try {
    return await gateway.refund(payment_id, id, body)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // The provider may refuse because the refund exists, from an earlier attempt or from its dashboard.
    const reversals = await listReversalIds(database.kysely, payment_id)
    for (const existing of await gateway.listRefunds(payment_id)) {
      if (existing.status === 'failed' || reversals.includes(existing.id)) continue
      const own = await findShopRefund(database.kysely, existing)
      if (existing.amount === amount && (!own || own.id === id)) return existing
    }
    throw error
  }
}

function applyProviderRefund(deps: RefundDeps, refund: RefundRow, providerRefund: ProviderRefund): Promise<void> {
  const now = deps.clock()
  return deps.write(trx =>
    providerRefund.status === 'failed'
      ? replaceFailedRefund(trx, deps, refund, providerRefund, now)
      : saveProgress(trx, deps, refund, providerRefund, now)
  )
}

async function saveProgress(
  trx: Trx,
  deps: RefundDeps,
  refund: RefundRow,
  providerRefund: ProviderRefund,
  now: number
): Promise<void> {
  const isProcessed = providerRefund.status === 'processed'
  const { id, payment_id } = refund
  const nextCheckAt = toIso(now + CHECK_INTERVAL)
  await lockPayment(trx, payment_id)
  const updated = await changeRefund(trx, id, isProcessed ? ['due', 'sent'] : ['due'], {
    state: isProcessed ? 'processed' : 'sent',
    provider_refund_id: providerRefund.id,
    attempts: 0,
    next_at: isProcessed ? null : nextCheckAt
  })
  if (isProcessed) await endPayment(trx, refund)
  const order = updated?.order_id ? await findOrder(trx, updated.order_id) : undefined
  if (updated && order)
    await enqueueMails(trx, refundedMails(await readMailDeps(trx, deps), order, updated), toIso(now))
  // A check that finds no news is no failed attempt. A stopped refund stays stopped.
  if (!updated && !isProcessed && refund.next_at !== null)
    await changeRefund(trx, id, ['sent'], { attempts: 0, next_at: nextCheckAt })
}

/** Ends the payment and its order if everything has gone back. */
async function endPayment(trx: Trx, { payment_id, order_id, reason }: RefundRow): Promise<void> {
  const paid = (await findPayment(trx, payment_id))?.amount ?? 0
  if ((await sumShopRefunds(trx, payment_id, ['processed'])) + (await sumReversals(trx, payment_id)) < paid) return
  await markRefunded(trx, payment_id)
  if (order_id !== null && ENDING_REASONS.includes(reason)) await markOrderRefunded(trx, order_id)
}

/** Ends a refund whose money an administrator has sent back outside Razorpay. Lock the payment's row first. */
export async function markPaidBackByHand(trx: Trx, refund: RefundRow): Promise<void> {
  await changeRefund(trx, refund.id, ['due', 'sent', 'failed'], { state: 'processed' })
  await endPayment(trx, refund)
}

export async function sendAgain(trx: Trx, id: string, now: IsoTime): Promise<void> {
  await trx.updateTable('refunds').set({ next_at: now, attempts: 0 }).where('id', '=', id).execute()
}

/** Replaces a refund that failed at the provider with a new refund. The new one has another idempotency key. */
async function replaceFailedRefund(
  trx: Trx,
  deps: RefundDeps,
  { id, payment_id, part, order_id, amount, reason }: RefundRow,
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
  const tries = await countRows(trx.selectFrom('refunds').where('payment_id', '=', payment_id).where('part', '=', part))
  const request = { orderId: order_id, reason, now, part, isRetry: true, delay: HOUR }
  const isReplaced = tries < MAX_REFUNDS && (await createRefund(trx, { id: payment_id, amount }, request))
  if (!isReplaced) await mailStopped(trx, deps, failed)
}

async function scheduleRetry(deps: RefundDeps, refund: RefundRow): Promise<void> {
  const now = deps.clock()
  const delay = Math.min(MINUTE * 2 ** refund.attempts, MAX_BACKOFF)
  await deps.write(async trx => {
    await postponeRow(trx, 'refunds', refund.id, toIso(now + delay))
    if (refund.attempts + 1 === ALERT_AFTER_ATTEMPTS) {
      const at = toIso(now)
      await enqueueMail(trx, refundStuckMail(await readMailDeps(trx, deps), refund, { isStopped: false, at }), at)
    }
  })
}

export function listDueRefunds(db: Db, now: IsoTime): Promise<RefundRow[]> {
  return listDueRows(db.selectFrom('refunds').selectAll(), 'next_at', now)
}

function changeRefund(
  trx: Trx,
  id: string,
  from: readonly RefundRow['state'][],
  changes: Partial<Pick<RefundRow, 'state' | 'provider_refund_id' | 'next_at' | 'attempts'>>
): Promise<RefundRow | undefined> {
  return trx
    .updateTable('refunds')
    .set(changes)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
}
