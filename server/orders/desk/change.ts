import type { OrderChangeRequest } from '#lib/contract/desk.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { toPaise } from '#lib/money.ts'
import { formatDate, toIso } from '#lib/time.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { type MailDeps, placeText, readMailDeps, shopperMail } from '../mails.ts'
import { updateOrder } from '../payment/transitions.ts'
import {
  type ChangedDetails,
  type CheckoutDeps,
  customerOf,
  requireOrder,
  statusOf
} from '../queries.ts'
import { changePlace, planDelivery, type PlannedDelivery } from './change-delivery.ts'

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
      message: t('Only pending and packed orders can be changed.')
    })
  const plan = await planDelivery(deps, order, request).catch(async error => {
    // If somebody else has changed the order since it was read, report that instead.
    const { changes } = await requireOrder(deps.database.kysely, id)
    throw changes === order.changes ? error : new ShopError('EDIT_CONFLICT')
  })
  if (Object.keys(plan.details).length === 0)
    throw new ShopError('ORDER_NOT_CHANGEABLE', { message: t('Nothing is changed yet.') })
  const now = deps.clock()
  await deps.write(trx => applyChange(trx, deps, order, plan, actor, now), { shows: 'stock' })
}

async function applyChange(
  trx: Trx,
  deps: CheckoutDeps,
  order: OrderRow,
  plan: PlannedDelivery,
  actor: Actor,
  now: number
) {
  const { id } = order
  const { details, fields } = plan
  const at = toIso(now)
  const changed = await updateOrder(trx, id, { ...fields, changes: order.changes + 1 })
    .where('changes', '=', order.changes)
    .where('payment_state', '=', 'paid')
    .where('fulfilment_status', 'in', ['pending', 'packed'])
    .where('dispatched_at', 'is', null)
    .where('anonymised_at', 'is', null)
    .executeTakeFirst()
  if (!changed) throw new ShopError('EDIT_CONFLICT')
  await changePlace(trx, changed, plan)
  const nothing = { credit_year: null, credit_no: null, credited: toPaise(0), refunded: toPaise(0) }
  const change = { order_id: id, seq: changed.changes, changed_at: at, ...nothing }
  await trx
    .insertInto('order_changes')
    .values({ ...change, details: JSON.stringify(details) })
    .execute()
  // Contains no personal data, because the audit log stays when the person's data are removed.
  const before = { deliveryDate: order.delivery_date }
  const after = {
    deliveryDate: details.deliveryDate ?? order.delivery_date,
    ...(details.phone && { phone: 'changed' }),
    ...(details.address && { address: 'changed' })
  }
  await record(trx, { actor, at, kind: 'order', id, action: 'changed', before, after })
  const mailDeps = await readMailDeps(trx, deps, changed)
  await enqueueMail(trx, changedMail(mailDeps, changed, details), at)
}

export function changedMail(
  deps: MailDeps,
  order: OrderRow,
  { deliveryDate, phone, address }: ChangedDetails
): Mail {
  return shopperMail(deps, order, () => {
    const { order_no, changes, delivery_method } = order
    const isPickup = delivery_method === 'pickup'
    const blocks = [t('We have changed your order {order}.', { order: order_no })]
    if (deliveryDate !== undefined) {
      const day = formatDate(deliveryDate)
      blocks.push(t(isPickup ? 'New pickup date: {day}.' : 'New delivery date: {day}.', { day }))
    }
    if (isPickup && phone)
      blocks.push(t('New phone number: {phone}.', { phone: customerOf(order).phone }))
    // The address contains the phone number.
    else if (phone || address) blocks.push(placeText(order, deps.shop.pickupPlace))
    blocks.push(t('Is something wrong? Please tell us today.'))
    return {
      mailType: `changed-${changes}`,
      subject: t('We changed your order {order}', { order: order_no }),
      blocks
    }
  })
}
