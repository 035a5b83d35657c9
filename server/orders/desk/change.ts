import { sql, type SqlBool } from 'kysely'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { previewChange } from '#lib/admin/orders.ts'
import type { OrderChangeRequest } from '#lib/contract/desk.ts'
import { ShopError } from '#lib/errors.ts'
import { formatPaise, fromRupees, type Paise, sumPaise, toPaise } from '#lib/money.ts'
import { formatSerialNumber } from '#lib/tax/invoice.ts'
import { creditPacks, shareOf } from '#lib/tax/taxes.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import type { OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import type { Block, Mail } from '../../platform/mail/mail.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { formatDate, toIso } from '#lib/time.ts'
import { countPacks } from '../checkout/reservations.ts'
import { movePacks } from '../checkout/stock.ts'
import { type MailDeps, placeText, readMailDeps, shopperMail } from '../mails.ts'
import { createRefund, lockBalance } from '../payment/refunds.ts'
import { updateOrder } from '../payment/transitions.ts'
import {
  type CheckoutDeps,
  customerOf,
  findLinesOf,
  requireOrder,
  statusOf,
  type StoredChange
} from '../queries.ts'
import { nextCreditNote } from '../tax/invoices.ts'
import { changePlace, planDelivery } from './change-delivery.ts'
import { readAdminOrder } from './orders.ts'

/** It stays valid while the order has the same version. */
type PlannedChange = Awaited<ReturnType<typeof planChange>>

/** Drawn discounts and the coupon stay used. */
export async function changeOrder(
  deps: CheckoutDeps,
  actor: Actor,
  id: string,
  request: OrderChangeRequest
): Promise<void> {
  const order = await requireOrder(deps.database.kysely, id)
  if (order.changes !== request.version) throw new ShopError('EDIT_CONFLICT')
  const status = statusOf(order)
  if (status !== 'pending' && status !== 'packed')
    throw new ShopError('ORDER_NOT_CHANGEABLE', {
      message: 'Only pending and packed orders can be changed.'
    })
  const plan = await planChange(deps, order, request).catch(async error => {
    // If somebody else has changed the order since it was read, report that instead.
    const { changes } = await requireOrder(deps.database.kysely, id)
    throw changes === order.changes ? error : new ShopError('EDIT_CONFLICT')
  })
  const now = deps.clock()
  await deps.write(trx => applyChange(trx, deps, order, plan, actor, now), { shows: 'stock' })
}

async function planChange(deps: CheckoutDeps, order: OrderRow, request: OrderChangeRequest) {
  const db = deps.database.kysely
  const view = await readAdminOrder(deps, order.id)
  const preview = previewChange(view, request.lines)
  if ('problem' in preview)
    throw new ShopError('ORDER_NOT_CHANGEABLE', { message: preview.problem })
  if (preview.refund !== fromRupees(request.refund)) throw new ShopError('EDIT_CONFLICT')
  const lines = await findLinesOf(db, order.id)
  const splits = lines.flatMap(line => {
    const left = request.lines?.find(changed => changed.line === line.n)?.quantity ?? line.quantity
    return left < line.quantity ? [splitLine(line, line.quantity - left)] : []
  })
  const items = lines.map(line => splits.find(({ rest }) => rest.n === line.n)?.rest ?? line)
  const delivery = await planDelivery(deps, order, { request, items })
  if (splits.length === 0 && Object.keys(delivery.details).length === 0) {
    throw new ShopError('ORDER_NOT_CHANGEABLE', { message: 'Nothing is changed yet.' })
  }
  return { lines, items, splits, refund: preview.refund, ...delivery }
}

async function applyChange(
  trx: Trx,
  deps: CheckoutDeps,
  order: OrderRow,
  plan: PlannedChange,
  actor: Actor,
  now: number
) {
  const { id, paid_payment_id: payment } = order
  const { splits, refund, details, fields } = plan
  const at = toIso(now)
  const removed = splits.map(split => split.removed)
  const credited = sumPaise(removed.map(({ total }) => total))
  const balance = payment === null ? undefined : await lockBalance(trx, payment)
  const values = { ...fields, changes: order.changes + 1, total: toPaise(order.total - credited) }
  const changed = await updateOrder(trx, id, values)
    .where('changes', '=', order.changes)
    .where('payment_state', '=', 'paid')
    .where('fulfilment_status', 'in', ['pending', 'packed'])
    .where('dispatched_at', 'is', null)
    .where('anonymised_at', 'is', null)
    .executeTakeFirst()
  if (!changed) throw new ShopError('EDIT_CONFLICT')
  const seq = changed.changes
  await changePlace(trx, changed, plan)
  const movement = { order_id: id, reason: 'changed', moved_at: at } as const
  if (removed.length > 0) await movePacks(trx, countPacks(removed), movement)
  const change: StoredChange = {
    order_id: id,
    seq,
    changed_at: at,
    ...(removed.length > 0
      ? await nextCreditNote(trx, now)
      : { credit_year: null, credit_no: null }),
    credited,
    // The rest of the refund is for earlier changes whose refunds have failed.
    refunded: toPaise(Math.min(refund, credited)),
    details: JSON.stringify(details),
    removed: removed.map(line => ({ ...line, seq }))
  }
  const rests = splits.map(({ rest }) => rest)
  await insertChange(trx, change, rests)
  if (payment !== null && removed.length > 0) {
    // While a reversal is pending, it is not known how much is left to refund.
    if ((balance?.reported ?? 0) > 0)
      throw new ShopError('ORDER_ON_HOLD', { message: ADMIN_MESSAGES.orderOnHold })
    const request = { orderId: id, reason: 'changed', part: seq, now } as const
    // Money may have been refunded since the preview.
    if ((await createRefund(trx, payment, request)) !== refund) throw new ShopError('EDIT_CONFLICT')
  }
  await record(trx, { actor, at, kind: 'order', id, action: 'changed', ...toAudit(order, plan) })
  await enqueueMail(trx, changedMail(await readMailDeps(trx, deps), changed, change, plan), at)
}

/** Contains no personal data, because the audit log stays when the person's data are removed. */
function toAudit(order: OrderRow, { lines, items, details, refund }: PlannedChange) {
  const itemsText = (rows: readonly OrderLineRow[]): string =>
    rows.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')
  const before = { items: itemsText(lines), deliveryDate: order.delivery_date }
  const after = {
    items: itemsText(items),
    deliveryDate: details.deliveryDate ?? order.delivery_date,
    ...(refund > 0 && { refund: formatPaise(refund) }),
    ...(details.phone && { phone: 'changed' }),
    ...(details.address && { address: 'changed' })
  }
  return { before, after }
}

function changedMail(
  deps: MailDeps,
  order: OrderRow,
  change: StoredChange,
  { refund, details: { deliveryDate, phone, address } }: PlannedChange
): Mail {
  const blocks: Block[] = [`We have changed your order ${order.order_no}.`]
  if (change.removed.length > 0) {
    const rows = change.removed.map(({ quantity, name, pack_value, pack_unit, total }) => {
      const text = `Removed: ${quantity} × ${name}, ${pack_value} ${pack_unit}`
      return [text, `−${formatPaise(total)}`] as const
    })
    blocks.push([...rows, ['New total', formatPaise(order.total)]], refundText(change, refund))
  }
  const isPickup = order.delivery_method === 'pickup'
  if (deliveryDate !== undefined)
    blocks.push(`New ${isPickup ? 'pickup' : 'delivery'} date: ${formatDate(deliveryDate)}.`)
  if (isPickup && phone) blocks.push(`New phone number: ${customerOf(order).phone}.`)
  // The address contains the phone number.
  else if (phone || address) blocks.push(placeText(order, deps.shop.pickupPlace))
  blocks.push('Is something wrong? Please tell us today.')
  return shopperMail(deps, order, {
    mailType: `changed-${change.seq}`,
    subject: `We changed your order ${order.order_no}`,
    blocks
  })
}

function refundText({ credit_year, credit_no }: StoredChange, refund: Paise): string {
  const note = `Credit note ${formatSerialNumber('CN', credit_year, credit_no)}.`
  const nothing =
    'Nothing more is refunded, because you already have this money back or paid nothing.'
  if (refund === 0) return `${nothing} ${note}`
  const money = `${formatPaise(refund)} to the account, card or UPI ID that you paid from`
  return `We refund ${money}. It takes 5 to 8 days to reach you. ${note}`
}

/** The last packs get the rest of all amounts. */
export function splitLine(
  // The column `removed` is left from versions before migration 031.
  { removed: _, ...line }: OrderLineRow & { removed?: number },
  packs: number
): { removed: OrderLineRow; rest: OrderLineRow } {
  const { quantity } = line
  const share = (amount: Paise | null): Paise | null => amount && shareOf(amount, packs, quantity)
  const taxes = { cgst: share(line.cgst), sgst: share(line.sgst), igst: share(line.igst) }
  const credit = creditPacks(line, packs)
  const sum = (taxes.cgst ?? 0) + (taxes.sgst ?? 0) + (taxes.igst ?? 0)
  const taxable = line.taxable === null ? null : toPaise(credit.total - sum)
  const removed = { ...line, quantity: packs, ...credit, ...taxes, taxable }
  const rest = { ...line, quantity: quantity - packs }
  for (const name of ['coupon_discount', 'total'] as const)
    rest[name] = toPaise(line[name] - removed[name])
  for (const name of ['taxable', 'cgst', 'sgst', 'igst'] as const)
    rest[name] = line[name] === null ? null : toPaise(line[name] - (removed[name] ?? 0))
  return { removed, rest }
}

async function insertChange(
  trx: Trx,
  { removed, ...change }: StoredChange,
  rests: readonly OrderLineRow[]
) {
  await trx.insertInto('order_changes').values(change).execute()
  if (removed.length > 0) await trx.insertInto('removed_lines').values(removed).execute()
  for (const { order_id, n, quantity, coupon_discount, total, ...rest } of rests) {
    const { taxable, cgst, sgst, igst } = rest
    const amounts = { quantity, coupon_discount, total, taxable, cgst, sgst, igst }
    const isLine = sql<SqlBool>`order_id = ${order_id} and n = ${n}`
    if (quantity === 0) await trx.deleteFrom('order_lines').where(isLine).execute()
    else await trx.updateTable('order_lines').set(amounts).where(isLine).execute()
  }
}
