import { sql, type SqlBool } from 'kysely'
import { LIST_LIMITS } from '#lib/constants.ts'
import type { PaymentDecision } from '#lib/contract/admin.ts'
import type { EpochMs } from '#lib/time.ts'
import type { PaymentRow } from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { toIso } from '../../platform/process/clock.ts'
import { lockPayment } from '../payment-queries.ts'
import { createRefund, markPaidBackByHand, sendAgain } from '../refunds.ts'

/** Refunds that the shop no longer sends or checks, although the money has not gone back. */
function stoppedRefunds(db: Db) {
  return (
    db
      .selectFrom('refunds')
      .where('refunds.next_at', 'is', null)
      .where('refunds.state', '!=', 'processed')
      .where(sql<SqlBool>`not exists (select 1 from payments where id = refunds.payment_id and status = 'refunded')`)
      // The refund of everything that is left (part 0) includes failed refunds of changes.
      .where(
        sql<SqlBool>`not exists (select 1 from refunds as newer where newer.payment_id = refunds.payment_id
        and newer.seq > refunds.seq and newer.part in (0, refunds.part))`
      )
  )
}

export type ListedPayment = Pick<PaymentRow, 'id' | 'amount' | 'created_at'> & { order_no: string | null }

export function listStoppedRefunds(db: Db): Promise<ListedPayment[]> {
  return stoppedRefunds(db)
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['payments.id', 'refunds.amount', 'order_no', 'payments.created_at'])
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .limit(LIST_LIMITS.pageSize)
    .execute()
}

/** `keep`: the money has gone back by hand. Returns false if there is nothing to decide, or nothing left to refund. */
export async function decideStoppedRefund(
  trx: Trx,
  paymentId: string,
  decision: PaymentDecision['decision'],
  now: EpochMs
): Promise<boolean> {
  await lockPayment(trx, paymentId)
  const refund = await stoppedRefunds(trx)
    .where('payment_id', '=', paymentId)
    .selectAll()
    .orderBy('seq')
    .executeTakeFirst()
  if (!refund) return false
  const { id, part, amount, state, reason, order_id: orderId } = refund
  if (decision === 'keep') await markPaidBackByHand(trx, refund)
  else if (state === 'failed')
    return createRefund(trx, { id: paymentId, amount }, { orderId, reason, now, part, isRetry: true })
  else await sendAgain(trx, id, toIso(now))
  return true
}
