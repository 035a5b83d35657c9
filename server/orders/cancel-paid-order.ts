import { toFinancialYear } from '#lib/time.ts'
import type { FulfilmentStatus, OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { lockPayment } from './payment-queries.ts'
import { markCancelled, numberCreditNote } from './transitions.ts'
import { enqueueMails } from '../platform/mail/outbox.ts'
import { releaseStock } from './release-reservation.ts'
import { createRefund } from './create-refund.ts'

interface Cancellation {
  from: FulfilmentStatus
  now: number
  mails: (cancelled: OrderRow) => readonly Mail[]
}

/** Returns undefined if the order no longer has the status `from`. */
export async function cancelPaidOrder(
  trx: Trx,
  order: OrderRow,
  { from, now, mails }: Cancellation
): Promise<OrderRow | undefined> {
  const { id, paid_payment_id, total } = order
  const at = new Date(now).toISOString()
  if (paid_payment_id !== null) await lockPayment(trx, paid_payment_id)
  const state = paid_payment_id === null ? 'refunded' : 'refund_due'
  const cancelled = await markCancelled(trx, order, from, { payment_state: state, ended_at: at })
  if (!cancelled) return undefined
  await releaseStock(trx, id, 'cancelled', at)
  const year = toFinancialYear(now)
  const numbered = await numberCreditNote(trx, id, {
    credit_year: year,
    credit_no: await raiseCounter(trx, `credit notes ${year}`)
  })
  if (paid_payment_id !== null) {
    const payment = { id: paid_payment_id, amount: total }
    if (!(await createRefund(trx, payment, { orderId: id, reason: 'cancelled', now }))) {
      throw new Error(`Order ${id} already has a refund`)
    }
  }
  await enqueueMails(trx, mails(numbered), at)
  return numbered
}
