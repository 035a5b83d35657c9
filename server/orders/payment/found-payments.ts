import type { FastifyInstance } from 'fastify'
import { formatPaise, toPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import type { EpochMs } from '#lib/time.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { type Mail, mailBody } from '../../platform/mail/mail.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { toIso } from '../../platform/process/clock.ts'
import type { ProviderPayment } from '../../razorpay/client.ts'
import { type MailDeps, ORDER_MAIL_PREFIX, readMailDeps } from '../mails.ts'
import { upsertPayment } from './queries.ts'

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
    await enqueueMail(
      trx,
      unmatchedMail(await readMailDeps(trx, deps), { payment, orderNumber }),
      at
    )
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
