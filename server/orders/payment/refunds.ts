import type { Paise } from '#lib/money.ts'
import type { IsoTime } from '#lib/time.ts'
import type { RefundReason, RefundRow } from '../../platform/db/payment-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { listDueRows } from '../../platform/jobs/loop.ts'
import { toIso } from '../../platform/process/clock.ts'
import type { ProviderRefund } from '../../razorpay/client.ts'
import { dueNow, findOrderOf, readBalance } from './balance.ts'
import { markRefunded } from './queries.ts'
import { markOrderRefunded } from './transitions.ts'

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
  const notes = { order: orderId ?? '', reason }
  const body = JSON.stringify({ amount, speed: 'normal', notes, receipt: id })
  const row = {
    id,
    payment_id: paymentId,
    seq,
    part,
    order_id: orderId,
    amount,
    reason,
    state: isByHand ? 'processed' : 'due',
    body: isByHand ? '' : body,
    next_at: isByHand ? null : toIso(now + delay),
    attempts: 0,
    created_at: toIso(now)
  } as const
  await trx.insertInto('refunds').values(row).execute()
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
  const { id, payment_id, order_id: orderId, reason, part, amount } = failed
  const isSame =
    amount === dueNow(await readBalance(trx, payment_id)) &&
    failed.provider_refund_id === null &&
    failed.body !== ''
  if (!isSame || options.isByHand)
    return createRefund(trx, payment_id, { orderId, reason, part }, options)
  // It may have been made after all, so it is sent with its own key again.
  const again = { state: 'due', attempts: 0, next_at: toIso(options.now) } as const
  await changeRefund(trx, id, ['failed'], again)
  return amount
}

export function findLastRefund(trx: Trx, paymentId: string): Promise<RefundRow | undefined> {
  const refunds = trx.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId)
  return refunds.orderBy('seq', 'desc').limit(1).executeTakeFirst()
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

export function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Ends the payment and its order if everything has gone back and nothing more is on its way. */
export async function endPayment(trx: Trx, paymentId: string): Promise<void> {
  const { paid, processed, open } = await readBalance(trx, paymentId)
  if (processed < paid || open > 0) return
  await markRefunded(trx, paymentId)
  const order = await findOrderOf(trx, paymentId)
  if (order) await markOrderRefunded(trx, order.id)
}

/** True if more has gone back, or is on its way, than must. */
export async function hasTooMuch(trx: Trx, paymentId: string): Promise<boolean> {
  const { toRefund, processed, open, reported } = await readBalance(trx, paymentId)
  return processed + open + reported > toRefund
}

/**
 * If a refund in the dashboard has the amount of one that was marked as paid back by hand, it is
 * the same money.
 */
export async function undoPaidByHand(
  trx: Trx,
  { payment_id, amount }: Pick<RefundRow, 'payment_id' | 'amount'>
): Promise<void> {
  if (!(await hasTooMuch(trx, payment_id))) return
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

export function listDueRefunds(db: Db, now: IsoTime): Promise<RefundRow[]> {
  return listDueRows(db.selectFrom('refunds').selectAll(), 'next_at', now)
}

export function changeRefund(
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
