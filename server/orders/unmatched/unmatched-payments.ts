import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql, type SqlBool } from 'kysely'
import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { LIST_LIMITS } from '#lib/constants.ts'
import { Done } from '#lib/contract/accounts.ts'
import { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { formatPaise, toPaise, toRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import type { EpochMs } from '#lib/time.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import { requireRecentVerification, sessionOf } from '../../accounts/sessions.ts'
import type { PaymentRow } from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { route } from '../../platform/http/validate.ts'
import { type Mail, mailBody } from '../../platform/mail/mail.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { isoNow, toIso } from '../../platform/process/clock.ts'
import type { ProviderPayment } from '../../razorpay/client.ts'
import { type MailDeps, ORDER_MAIL_PREFIX, readMailDeps } from '../mails.ts'
import { findPayment, lockPayment, upsertPayment } from '../payment-queries.ts'
import { createRefund, markPaidBackByHand, sendAgain } from '../refunds.ts'

export async function addUnmatchedPayment(
  trx: Trx,
  deps: Pick<FastifyInstance, 'config'>,
  { payment, orderNumber }: { payment: ProviderPayment; orderNumber: string | null },
  now: EpochMs
): Promise<void> {
  const at = toIso(now)
  await upsertPayment(trx, payment, now)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('unmatched_payments')
    .values({ payment_id: payment.id, order_no: orderNumber, found_at: at, decision: null })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n)
    await enqueueMail(trx, unmatchedMail(await readMailDeps(trx, deps), { payment, orderNumber }), at)
}

function unmatchedMail(
  { shop, config }: MailDeps,
  { payment, orderNumber }: { payment: { id: string; amount: number }; orderNumber: string | null }
): Mail {
  const subject = `Payment of ${formatPaise(toPaise(payment.amount))} without an order: refund or keep?`
  return {
    id: `${ORDER_MAIL_PREFIX}unmatched-${payment.id}`,
    to: shop.email,
    subject,
    ...mailBody(subject, [
      `A customer paid the order ${orderNumber ?? '(without number)'}, which is not in the shop’s database, for example because an older backup was restored.`,
      `Payment ${payment.id}. The Razorpay dashboard shows the products and the customer.`,
      `Please decide whether to refund it: ${config.siteUrl}${paths.adminOrders}`
    ])
  }
}

/** Returns the oldest payments about which an administrator must decide. */
export async function listUnmatchedPayments(db: Db): Promise<UnmatchedPayment[]> {
  const withoutOrder = await db
    .selectFrom('unmatched_payments')
    .innerJoin('payments', 'payments.id', 'unmatched_payments.payment_id')
    .select(['payments.id', 'amount', 'order_no', 'created_at'])
    .where('decision', 'is', null)
    .orderBy('created_at')
    .orderBy('payments.id')
    .limit(LIST_LIMITS.pageSize)
    .execute()
  return [
    ...withoutOrder.map(row => toUnmatchedPayment(row, 'no_order')),
    ...(await listStoppedRefunds(db)).map(row => toUnmatchedPayment(row, 'refund_failed'))
  ]
}

function toUnmatchedPayment(
  { id, amount, order_no, created_at }: ListedPayment,
  problem: UnmatchedPayment['problem']
): UnmatchedPayment {
  return {
    id,
    amount: toRupees(amount),
    problem,
    paidAt: created_at,
    ...(order_no !== null && { orderNumber: order_no })
  }
}

/** Returns the problem that is solved. Throws EDIT_CONFLICT if an administrator has already decided. */
export async function decideUnmatchedPayment(
  { write, clock }: Pick<FastifyInstance, 'write' | 'clock'>,
  actor: Actor,
  id: string,
  { decision }: PaymentDecision
): Promise<UnmatchedPayment['problem']> {
  return write(async trx => {
    const decided = await trx
      .updateTable('unmatched_payments')
      .set({ decision })
      .where('payment_id', '=', id)
      .where('decision', 'is', null)
      .executeTakeFirstOrThrow()
    const problem = decided.numUpdatedRows === 1n ? 'no_order' : 'refund_failed'
    if (problem === 'refund_failed' && !(await decideStoppedRefund(trx, id, decision, clock())))
      throw new ShopError('EDIT_CONFLICT', { message: ADMIN_MESSAGES.unmatchedDecided })
    if (problem === 'no_order' && decision === 'refund') await refundPayment(trx, id, clock())
    await record(trx, { actor, at: isoNow(clock), kind: 'order', id, action: decision })
    return problem
  })
}

async function refundPayment(trx: Trx, id: string, now: number): Promise<void> {
  await lockPayment(trx, id)
  const payment = await findPayment(trx, id)
  if (payment) await createRefund(trx, payment, { orderId: null, reason: 'unknown_order', now })
}

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

type ListedPayment = Pick<PaymentRow, 'id' | 'amount' | 'created_at'> & { order_no: string | null }

function listStoppedRefunds(db: Db): Promise<ListedPayment[]> {
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
async function decideStoppedRefund(
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

export const unmatchedPaymentRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/unmatched-payments',
    route(
      'List payments without an order in the database, and payments whose refund has failed',
      z.array(UnmatchedPayment)
    ),
    () => listUnmatchedPayments(app.database.kysely)
  )

  app.post(
    '/unmatched-payments/:id',
    route('Refund or keep a payment without an order or with a failed refund', Done, {
      params: IdPath,
      body: PaymentDecision
    }),
    async request => {
      const { params, body } = request
      if (body.decision === 'refund') requireRecentVerification(request, app.clock())
      const problem = await decideUnmatchedPayment(app, sessionOf(request).user, params.id, body)
      if (body.decision === 'refund') return { message: ADMIN_MESSAGES.refundStarted }
      return { message: problem === 'no_order' ? ADMIN_MESSAGES.unmatchedKept : ADMIN_MESSAGES.refundDone }
    }
  )
}
