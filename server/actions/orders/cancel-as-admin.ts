import { orderConflict } from '#lib/admin/messages.ts'
import type { OrderCancellation } from '#lib/contract/admin/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import { shopperMailId } from '../../mails/order-parts.ts'
import { cancelledByShopMail } from '../../mails/status-mails.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { findOrder } from '../../queries/orders/orders.ts'
import { withdrawMail } from '../../queries/outbox.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { cancelPaidOrder } from './cancel-paid-order.ts'
import { statusOf } from './to-order.ts'

/** Cancels an order, releases its stock and refunds it in full. Throws ShopError ORDER_NOT_FOUND, EDIT_CONFLICT. */
export async function cancelAsAdmin(
  deps: CheckoutDeps,
  actor: Actor,
  id: string,
  { from, reason }: Omit<OrderCancellation, 'proof'>
): Promise<void> {
  const order = await findOrder(deps.database.kysely, id)
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  const now = deps.clock()
  const cancelled = await deps.write(async trx => {
    const mails = (numbered: OrderRow) => [cancelledByShopMail(deps, numbered, reason)]
    const updated = await cancelPaidOrder(trx, order, { from, now, mails })
    if (!updated) return undefined
    // The mail about packing may still be waiting in the outbox.
    await withdrawMail(trx, shopperMailId('packed', id))
    const states = { before: { status: from }, after: { status: 'cancelled', reason } }
    await record(trx, { actor, at: new Date(now).toISOString(), kind: 'order', id, action: 'cancelled', ...states })
    return updated
  })
  if (cancelled) return
  const current = (await findOrder(deps.database.kysely, id)) ?? order
  const message = orderConflict(STATUS_LABELS[statusOf(current)])
  throw new ShopError('EDIT_CONFLICT', { message: message })
}
