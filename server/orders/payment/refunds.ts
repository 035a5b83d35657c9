import type { FastifyInstance } from 'fastify'
import type { Paise } from '#lib/money.ts'
import { DAY, HOUR, MINUTE, type IsoTime } from '#lib/time.ts'
import type { RefundReason, RefundRow } from '../../platform/db/payment-tables.ts'
import { countRows } from '../../platform/db/search.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { listDueRows, postponeRow } from '../../platform/jobs/loop.ts'
import { enqueueMail, enqueueMails } from '../../platform/mail/outbox.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { isoNow, toIso } from '../../platform/process/clock.ts'
import { PaymentError, type ProviderRefund } from '../../razorpay/client.ts'
import { readMailDeps, refundedMails, refundStuckMail } from '../mails.ts'
import { findOrder } from '../queries.ts'
import { dueNow, lockPayment, markRefunded, readBalance } from './queries.ts'
import { markOrderRefunded } from './transitions.ts'
import { findOrderOf } from './reversal-queries.ts'

type RefundDeps = Pick<FastifyInstance, 'database' | 'write' | 'clock' | 'payments' | 'config'>

interface RefundRequest {
  orderId: string | null
  reason: RefundReason
  /** Number of the change that is refunded, or 0 for everything that is left. */
  part?: number
}

interface RefundOptions {
  now: number
  /** Delay before the first attempt, in ms. */
  delay?: number
  /** True if an administrator has paid the money back outside Razorpay. */
  isByHand?: boolean
}

/**
 * Maximum number of refunds of one part that may fail at the provider. After the last one, the shop
 * gets a mail.
 */
const MAX_REFUNDS = 3
/** If this many attempts of one refund fail, the shop gets a mail. */
const ALERT_AFTER_ATTEMPTS = 5
const CHECK_INTERVAL = HOUR
const MAX_BACKOFF = HOUR
/** At this age, a refund that the provider refuses is no longer sent or checked. */
const GIVE_UP_AGE = DAY

/**
 * Creates one refund of all that is due, and returns its amount or 0. Lock the payment's row first.
 */
export async function createRefund(
  trx: Trx,
  paymentId: string,
  { orderId, reason, part = 0 }: RefundRequest,
  { now, delay = 0, isByHand = false }: RefundOptions
): Promise<Paise> {
  const amount = dueNow(await readBalance(trx, paymentId))
  if (amount === 0) return amount
  const seq = ((await findLastRefund(trx, paymentId))?.seq ?? 0) + 1
  const id = `rf_${paymentId}_${seq}`
  const body = JSON.stringify({
    amount,
    speed: 'normal',
    notes: { order: orderId ?? '', reason },
    receipt: id
  })
  const progress = isByHand
    ? ({ state: 'processed', body: '', next_at: null } as const)
    : ({ state: 'due', body, next_at: toIso(now + delay) } as const)
  const row = {
    id,
    payment_id: paymentId,
    seq,
    part,
    order_id: orderId,
    amount,
    reason,
    ...progress,
    attempts: 0
  }
  await trx
    .insertInto('refunds')
    .values({ ...row, created_at: toIso(now) })
    .execute()
  if (isByHand) await endPayment(trx, paymentId)
  return amount
}

/**
 * Creates a refund of all that is due, for the same reason as a failed one. Returns its amount or
 * 0.
 */
export async function replaceRefund(
  trx: Trx,
  failed: RefundRow,
  options: RefundOptions
): Promise<Paise> {
  const {
    id,
    payment_id,
    order_id: orderId,
    reason,
    part,
    amount,
    provider_refund_id,
    body
  } = failed
  const isSame =
    amount === dueNow(await readBalance(trx, payment_id)) &&
    provider_refund_id === null &&
    body !== ''
  if (!isSame || options.isByHand)
    return createRefund(trx, payment_id, { orderId, reason, part }, options)
  // It may have been made after all, so it is sent with its own key again.
  await changeRefund(trx, id, ['failed'], {
    state: 'due',
    attempts: 0,
    next_at: toIso(options.now)
  })
  return amount
}

export function findLastRefund(trx: Trx, paymentId: string): Promise<RefundRow | undefined> {
  return trx
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Sends a due refund, or checks a sent one. `lookUp` records the refunds that the provider has of
 * the payment. Throws PaymentError after scheduling a retry.
 */
export async function processRefund(
  deps: RefundDeps,
  refund: RefundRow,
  lookUp: () => Promise<void>
): Promise<void> {
  const { gateway } = deps.payments
  try {
    if (refund.state === 'due') {
      // The refund may exist, from an attempt whose reply was lost, or the money from the
      // provider's dashboard.
      await lookUp()
      if (!(await deps.write(trx => isStillDue(trx, refund, deps.clock())))) return
    }
    const providerRefund =
      refund.state === 'due'
        ? await gateway.refund(refund.payment_id, refund.id, refund.body)
        : await gateway.fetchRefund(refund.provider_refund_id ?? '')
    reachFailpoint('after-refund')
    await applyProviderRefund(deps, refund, providerRefund)
  } catch (error) {
    if (isFinal(deps, refund, error)) await stopRefund(deps, refund)
    else await scheduleRetry(deps, refund)
    throw error
  }
}

/**
 * Withdraws a refund if more has gone back than must. Then a new refund has the rest, with a key of
 * its own.
 */
async function isStillDue(trx: Trx, { id, payment_id }: RefundRow, now: number): Promise<boolean> {
  await lockPayment(trx, payment_id)
  const refund = await findRefund(trx, id)
  if (refund?.state !== 'due') return false
  const { toRefund, processed, open, reported } = await readBalance(trx, payment_id)
  if (processed + open + reported <= toRefund) return true
  await changeRefund(trx, id, ['due'], { state: 'failed', next_at: null })
  await replaceRefund(trx, refund, { now })
  await endPayment(trx, payment_id)
  return false
}

/**
 * True if the provider still refuses after a day, for example because the payment belongs to a
 * former account.
 */
function isFinal(
  { clock }: RefundDeps,
  { attempts, created_at }: RefundRow,
  error: unknown
): boolean {
  return (
    isRefusal(error) &&
    attempts >= ALERT_AFTER_ATTEMPTS &&
    clock() - Date.parse(created_at) >= GIVE_UP_AGE
  )
}

function isRefusal(error: unknown): boolean {
  return error instanceof PaymentError && error.kind === 'refused'
}

/** An administrator then decides about the refund. */
async function stopRefund(deps: RefundDeps, { id, state, payment_id }: RefundRow): Promise<void> {
  await deps.write(async trx => {
    await lockPayment(trx, payment_id)
    const stopped = await changeRefund(trx, id, [state], {
      state: 'failed',
      provider_refund_id: null,
      next_at: null
    })
    if (stopped) await endFailed(trx, deps, stopped)
  })
}

/** Mails the shop after a refund has failed for good, with the amount that is still due. */
async function endFailed(trx: Trx, deps: RefundDeps, refund: RefundRow): Promise<void> {
  const amount = dueNow(await readBalance(trx, refund.payment_id))
  if (amount > 0) await mailStopped(trx, deps, { ...refund, amount })
  await endPayment(trx, refund.payment_id)
}

async function mailStopped(trx: Trx, deps: RefundDeps, refund: RefundRow): Promise<void> {
  const at = isoNow(deps.clock)
  await enqueueMail(
    trx,
    refundStuckMail(await readMailDeps(trx, deps), refund, { isStopped: true, at }),
    at
  )
}

/** Returns false if the refund was not made by the shop. */
export async function updateRefund(
  deps: RefundDeps,
  providerRefund: ProviderRefund
): Promise<boolean> {
  const refund = await findShopRefund(deps.database.kysely, providerRefund)
  const isEnded = refund?.next_at === null && refund.provider_refund_id !== null
  if (refund && !isEnded) await applyProviderRefund(deps, refund, providerRefund)
  return refund !== undefined
}

/** Returns undefined if the refund was not made by the shop. */
export async function findShopRefund(
  db: Db,
  { id, receipt }: ProviderRefund
): Promise<RefundRow | undefined> {
  const refunds = db.selectFrom('refunds').selectAll()
  return (
    (await refunds.where('provider_refund_id', '=', id).executeTakeFirst()) ??
    (await findRefund(db, receipt ?? ''))
  )
}

function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()
}

function applyProviderRefund(
  deps: RefundDeps,
  refund: RefundRow,
  providerRefund: ProviderRefund
): Promise<void> {
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
  // A refund that was withdrawn or given up may have been made after all.
  const updated = await changeRefund(
    trx,
    id,
    isProcessed ? ['due', 'sent', 'failed'] : ['due', 'failed'],
    {
      state: isProcessed ? 'processed' : 'sent',
      provider_refund_id: providerRefund.id,
      attempts: 0,
      next_at: isProcessed ? null : nextCheckAt
    }
  )
  if (isProcessed) await endPayment(trx, payment_id)
  const order = updated?.order_id ? await findOrder(trx, updated.order_id) : undefined
  if (updated && order)
    await enqueueMails(
      trx,
      refundedMails(await readMailDeps(trx, deps), order, updated),
      toIso(now)
    )
  // A check that finds no news is no failed attempt. A stopped refund stays stopped.
  if (!updated && !isProcessed && refund.next_at !== null)
    await changeRefund(trx, id, ['sent'], { attempts: 0, next_at: nextCheckAt })
}

/** Ends the payment and its order if everything has gone back and nothing more is on its way. */
export async function endPayment(trx: Trx, paymentId: string): Promise<void> {
  const { paid, processed, open } = await readBalance(trx, paymentId)
  if (processed < paid || open > 0) return
  await markRefunded(trx, paymentId)
  const order = await findOrderOf(trx, paymentId)
  if (order) await markOrderRefunded(trx, order.id)
}

/**
 * If a refund in the dashboard has the amount of one that was marked as paid back by hand, it is
 * the same money.
 */
export async function undoPaidByHand(
  trx: Trx,
  { payment_id, amount }: Pick<RefundRow, 'payment_id' | 'amount'>
): Promise<void> {
  const { toRefund, processed, open, reported } = await readBalance(trx, payment_id)
  if (processed + open + reported <= toRefund) return
  const paidByHand = await trx
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', payment_id)
    .where('amount', '=', amount)
    .where('state', '=', 'processed')
    .where('provider_refund_id', 'is', null)
    .executeTakeFirst()
  if (paidByHand) await changeRefund(trx, paidByHand.id, ['processed'], { state: 'failed' })
}

/**
 * Replaces a refund that failed at the provider with a new refund. The new one has another
 * idempotency key.
 */
async function replaceFailedRefund(
  trx: Trx,
  deps: RefundDeps,
  { id, payment_id, part }: RefundRow,
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
  const failures = trx
    .selectFrom('refunds')
    .where('payment_id', '=', payment_id)
    .where('part', '=', part)
  const count = await countRows(
    failures.where('state', '=', 'failed').where('provider_refund_id', 'is not', null)
  )
  if (count < MAX_REFUNDS) await replaceRefund(trx, failed, { now, delay: HOUR })
  await endFailed(trx, deps, failed)
}

async function scheduleRetry(deps: RefundDeps, refund: RefundRow): Promise<void> {
  const now = deps.clock()
  const delay = Math.min(MINUTE * 2 ** refund.attempts, MAX_BACKOFF)
  await deps.write(async trx => {
    await postponeRow(trx, 'refunds', refund.id, toIso(now + delay))
    if (refund.attempts + 1 === ALERT_AFTER_ATTEMPTS) {
      const at = toIso(now)
      await enqueueMail(
        trx,
        refundStuckMail(await readMailDeps(trx, deps), refund, { isStopped: false, at }),
        at
      )
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
  return (
    trx
      .updateTable('refunds')
      .set(changes)
      .where('id', '=', id)
      .where('state', 'in', from)
      // What has failed at the provider stays failed.
      .where(row => row.or([row('state', '!=', 'failed'), row('provider_refund_id', 'is', null)]))
      .returningAll()
      .executeTakeFirst()
  )
}
