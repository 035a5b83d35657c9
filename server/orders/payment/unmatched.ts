import { t, text } from '#lib/contract/texts.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { LIST_LIMITS } from '#lib/constants.ts'
import { Done } from '#lib/contract/accounts.ts'
import { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { toRupees } from '#lib/money.ts'
import { type EpochMs, toIso } from '#lib/time.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import { requireRecentVerification, sessionOf } from '../../accounts/sessions.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { route } from '../../platform/http/validate.ts'
import { PaymentError } from '../../razorpay/client.ts'
import type { CheckoutDeps } from '../queries.ts'
import { lockRow } from '../../platform/db/write.ts'
import { throwUnavailable } from './reconcile.ts'
import { createRefund, dueNow, findLastRefund, replaceRefund, selectBalances } from './refunds.ts'
import { lookUpRefundsOf } from './reversals.ts'

const NOTHING_TO_REFUND = text('Nothing is left to refund: the money has already gone back.')

/** The shop refunds nothing of them before an administrator has decided. */
async function listUnmatchedPayments(db: Db): Promise<UnmatchedPayment[]> {
  const undecided = sql`select payment_id from unmatched_payments where decision is null`
  const failed = sql`select payment_id from refunds where state = 'failed'`
  return [
    ...(await listDuePayments(db, 'no_order', undecided)),
    ...(await listDuePayments(db, 'refund_failed', failed))
  ]
}

async function listDuePayments(
  db: Db,
  problem: UnmatchedPayment['problem'],
  ids: RawBuilder<unknown>
): Promise<UnmatchedPayment[]> {
  const balances = selectBalances(db)
    .select(['payments.created_at'])
    .select(
      sql<string | null>`coalesce(
        (select order_no from unmatched_payments where payment_id = payments.id),
        (select max(order_no) from orders join refunds on refunds.order_id = orders.id
          where refunds.payment_id = payments.id))`.as('order_no')
    )
    .where(sql<SqlBool>`payments.id in (${ids})`)
  const rows = await db
    .selectFrom(balances.as('balance'))
    .selectAll()
    .where(sql<SqlBool>`"toRefund" > processed + open + reported`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(LIST_LIMITS.pageSize)
    .execute()
  return rows.map(({ id, order_no, created_at, ...balance }) => ({
    id,
    amount: toRupees(dueNow(balance)),
    problem,
    paidAt: created_at,
    ...(order_no !== null && { orderNumber: order_no })
  }))
}

/** The money may have gone back in the dashboard. Throws EDIT_CONFLICT, PAYMENTS_UNAVAILABLE. */
async function decideUnmatchedPayment(
  deps: CheckoutDeps,
  actor: Actor,
  id: string,
  { decision }: PaymentDecision
): Promise<UnmatchedPayment['problem']> {
  await lookUpRefundsOf(deps, id).catch(ignoreRefusal)
  return deps.write(
    async trx => {
      const decided = await trx
        .updateTable('unmatched_payments')
        .set({ decision })
        .where('payment_id', '=', id)
        .where('decision', 'is', null)
        .executeTakeFirstOrThrow()
      const problem = decided.numUpdatedRows === 1n ? 'no_order' : 'refund_failed'
      const now = deps.clock()
      await lockRow(trx, 'payments', id)
      if (problem === 'refund_failed') await decideFailedRefund(trx, id, decision, now)
      else if (decision === 'refund') {
        const request = { orderId: null, reason: 'unknown_order', now } as const
        if ((await createRefund(trx, id, request)) === 0) throw conflict(NOTHING_TO_REFUND)
      }
      await record(trx, { actor, at: toIso(now), kind: 'order', id, action: decision })
      return problem
    },
    { shows: 'nothing' }
  )
}

/** The provider refuses if the payment belongs to a former account. */
function ignoreRefusal(error: unknown) {
  if (!(error instanceof PaymentError && error.kind === 'refused')) throwUnavailable(error)
}

/** `keep`: the money has gone back by hand, or in the provider's dashboard. */
async function decideFailedRefund(
  trx: Trx,
  paymentId: string,
  decision: PaymentDecision['decision'],
  now: EpochMs
) {
  const last = await findLastRefund(trx, paymentId)
  const isByHand = decision === 'keep'
  if (last && (await replaceRefund(trx, last, { now, isByHand })) > 0) return
  if (last?.state !== 'failed')
    throw conflict(text('Someone else has already decided about this payment.'))
  if (!isByHand) throw conflict(NOTHING_TO_REFUND)
}

function conflict(message: string): ShopError {
  return new ShopError('EDIT_CONFLICT', { message: t(message) })
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
      if (body.decision === 'refund') requireRecentVerification(request)
      const problem = await decideUnmatchedPayment(app, sessionOf(request).user, params.id, body)
      if (body.decision === 'refund') return { message: ADMIN_MESSAGES.refundStarted }
      return {
        message: t(
          problem === 'no_order' ? 'The payment is kept.' : 'The refund is marked as done.'
        )
      }
    }
  )
}
