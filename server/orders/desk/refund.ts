import { sql, type SqlBool } from 'kysely'
import { formatReason, previewRefund, takesPacksOff } from '#lib/admin/refunds.ts'
import type { OrderRefundRequest } from '#lib/contract/desk.ts'
import { FULFILMENT_STATUSES } from '#lib/contract/names.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { formatPaise, fromRupees, toPaise } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import { formatSerialNumber } from '#lib/tax/invoice.ts'
import { toIso } from '#lib/time.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import type { OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { inEnglish } from '../../platform/language.ts'
import type { Block, Mail } from '../../platform/mail/mail.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { countPacks } from '../checkout/reservations.ts'
import { movePacks } from '../checkout/stock.ts'
import { type MailDeps, readMailDeps, shopperMail } from '../mails.ts'
import { createRefund, lockBalance } from '../payment/refunds.ts'
import { updateOrder } from '../payment/transitions.ts'
import {
  type CheckoutDeps,
  detailsOf,
  findChanges,
  findLinesOf,
  hasFulfilmentStatus,
  lineName,
  requireOrder,
  statusOf
} from '../queries.ts'
import { listCredits, splitLine } from '../tax/credits.ts'
import { nextCreditNote } from '../tax/invoices.ts'
import { lowerUnits } from './change-delivery.ts'
import { readAdminOrder } from './orders.ts'

/** It stays valid while the order has the same version. */
type PlannedRefund = Awaited<ReturnType<typeof planRefund>>

/** Drawn discounts and the coupon stay used. */
export async function refundOrder(
  deps: CheckoutDeps,
  actor: Actor,
  id: string,
  request: OrderRefundRequest
): Promise<void> {
  const db = deps.database.kysely
  const order = await requireOrder(db, id)
  try {
    if (order.changes !== request.version) throw new ShopError('EDIT_CONFLICT')
    const plan = await planRefund(deps, order, request)
    const now = deps.clock()
    await deps.write(trx => applyRefund(trx, deps, order, plan, actor, now), { shows: 'stock' })
  } catch (error) {
    // The same request, or somebody else, may have changed the order since it was read.
    if (!(error instanceof ShopError)) throw error
    const current = await requireOrder(db, id)
    const changes = (await findChanges(db, [current])).get(id) ?? []
    if (changes.some(change => detailsOf(change).refund?.key === request.key)) return
    throw current.changes === order.changes ? error : new ShopError('EDIT_CONFLICT')
  }
}

async function planRefund(deps: CheckoutDeps, order: OrderRow, request: OrderRefundRequest) {
  const { key, cause, note = '', restock } = request
  const db = deps.database.kysely
  const status = FULFILMENT_STATUSES.find(each => each === statusOf(order))
  if (order.payment_state !== 'paid' || status === undefined)
    throw new ShopError('ORDER_NOT_CHANGEABLE', { message: t('Only paid orders can be refunded.') })
  const view = await readAdminOrder(deps, order.id)
  const preview = previewRefund(view, request)
  if ('problem' in preview)
    throw new ShopError('ORDER_NOT_CHANGEABLE', { message: preview.problem })
  if (preview.refund !== fromRupees(request.refund)) throw new ShopError('EDIT_CONFLICT')
  const lines = await findLinesOf(db, order.id)
  const changes = (await findChanges(db, [order])).get(order.id) ?? []
  const earlier = changes.flatMap(({ credits }) => credits)
  const splits = lines.flatMap(line => {
    const packs = request.lines.find(each => each.line === line.n)?.packs
    return packs === undefined ? [] : [splitLine(line, packs)]
  })
  const isOff = takesPacksOff(view, request.lines)
  const chosen = { ...preview, packs: splits.map(({ removed }) => removed), isOff }
  return {
    ...chosen,
    status,
    splits: isOff ? splits : [],
    creditLines: listCredits(order, lines, earlier, chosen),
    details: { key, cause, note, restock }
  }
}

async function applyRefund(
  trx: Trx,
  deps: CheckoutDeps,
  order: OrderRow,
  plan: PlannedRefund,
  actor: Actor,
  now: number
) {
  const { id, paid_payment_id: payment } = order
  const { credit, refund, packs, splits, details } = plan
  const at = toIso(now)
  const balance = payment === null ? undefined : await lockBalance(trx, payment)
  // While a reversal is pending, it is not known how much is left to refund.
  if ((balance?.reported ?? 0) > 0) throw new ShopError('ORDER_ON_HOLD')
  const values = { changes: order.changes + 1, total: toPaise(order.total - credit) }
  const changed = await updateOrder(trx, id, values)
    .where('changes', '=', order.changes)
    .where('payment_state', '=', 'paid')
    .where(row => hasFulfilmentStatus(row, plan.status))
    .executeTakeFirst()
  if (!changed) throw new ShopError('EDIT_CONFLICT')
  const seq = changed.changes
  const movement = { order_id: id, reason: 'changed', moved_at: at } as const
  if (details.restock && packs.length > 0) await movePacks(trx, countPacks(packs), movement)
  const creditNote = await nextCreditNote(trx, now)
  const change = { order_id: id, seq, changed_at: at, ...creditNote, credited: credit }
  // The rest of the refund is for earlier changes whose refunds have failed.
  const refunded = toPaise(Math.min(refund, credit))
  await trx
    .insertInto('order_changes')
    .values({ ...change, refunded, details: JSON.stringify({ refund: details }) })
    .execute()
  for (const { removed, rest } of splits) {
    await updateLine(trx, rest)
    await trx
      .insertInto('removed_lines')
      .values({ ...removed, seq })
      .execute()
  }
  if (splits.length > 0) await lowerUnits(trx, changed)
  for (const line of plan.creditLines)
    await trx
      .insertInto('credit_lines')
      .values({ ...line, order_id: id, seq })
      .execute()
  if (payment !== null) {
    const request = { orderId: id, reason: 'changed', part: seq, now } as const
    // Money may have been refunded since the preview.
    if ((await createRefund(trx, payment, request)) !== refund) throw new ShopError('EDIT_CONFLICT')
  }
  // The history is in English.
  const after = inEnglish(() => ({
    ...(packs.length > 0 && { items: packs.map(line => formatPacks(order, line)).join(', ') }),
    refund: formatPaise(refund),
    reason: formatReason(details)
  }))
  await record(trx, { actor, at, kind: 'order', id, action: 'refund', after })
  const mailDeps = await readMailDeps(trx, deps, changed)
  await enqueueMail(trx, refundMail(mailDeps, changed, plan, creditNote), at)
}

async function updateLine(trx: Trx, line: OrderLineRow) {
  const { order_id, n, quantity, coupon_discount, total, taxable, cgst, sgst, igst } = line
  const amounts = { quantity, coupon_discount, total, taxable, cgst, sgst, igst }
  const isLine = sql<SqlBool>`order_id = ${order_id} and n = ${n}`
  if (quantity === 0) await trx.deleteFrom('order_lines').where(isLine).execute()
  else await trx.updateTable('order_lines').set(amounts).where(isLine).execute()
}

function formatPacks(order: OrderRow, line: OrderLineRow) {
  const pack = formatPack({ value: line.pack_value, unit: line.pack_unit })
  const { quantity } = line
  return t('{quantity} × {name}, {pack}', { quantity, name: lineName(order, line), pack })
}

export function refundMail(
  deps: MailDeps,
  order: OrderRow,
  {
    packs,
    splits,
    refund,
    details
  }: Pick<PlannedRefund, 'packs' | 'splits' | 'refund' | 'details'>,
  { credit_year, credit_no }: Pick<OrderRow, 'credit_year' | 'credit_no'>
): Mail {
  return shopperMail(deps, order, () => {
    const { order_no, changes, total } = order
    const rows = packs.map(line => {
      const row = formatPacks(order, line)
      const name = splits.length > 0 ? t('Removed: {packs}', { packs: row }) : row
      return [name, `−${formatPaise(line.total)}`] as const
    })
    const number = formatSerialNumber('CN', credit_year, credit_no) ?? ''
    const blocks: Block[] = [
      refund > 0
        ? t(
            'We refund {amount} of your order {order} to the account, card or UPI ID that you ' +
              'paid from. It takes 5 to 8 days.',
            { amount: formatPaise(refund), order: order_no }
          )
        : t('Nothing more is refunded, because you already have this money back or paid nothing.'),
      formatReason(details),
      [...rows, [t('New total'), formatPaise(total), 'total']],
      t('Credit note {number}.', { number })
    ]
    return {
      mailType: `changed-${changes}`,
      subject: t('Refund for your order {order}', { order: order_no }),
      blocks: blocks.filter(block => block !== '')
    }
  })
}
