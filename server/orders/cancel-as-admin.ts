import { orderConflictText } from '#lib/admin/messages.ts'
import type { OrderCancellation } from '#lib/contract/admin/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import { shopperMailId } from './order-parts.ts'
import { cancelledByShopMail } from './status-mails.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { findOrder } from './order-queries.ts'
import { withdrawMail } from '../platform/mail/outbox.ts'
import type { CheckoutDeps } from './deps.ts'
import { cancelPaidOrder } from './cancel-paid-order.ts'
import { statusOf } from './to-order.ts'

/** Cancels an order, releases its stock and refunds it in full. Throws ORDER_NOT_FOUND, EDIT_CONFLICT. */
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
    const mails = (cancelledOrder: OrderRow) => [cancelledByShopMail(deps, cancelledOrder, reason)]
    const updated = await cancelPaidOrder(trx, order, { from, now, mails })
    if (!updated) return undefined
    // If the mail "Your order is packed" is still in the outbox, it must not be sent after the cancellation.
    await withdrawMail(trx, shopperMailId('packed', id))
    const [before, after] = [{ status: from }, { status: 'cancelled', reason }]
    const at = new Date(now).toISOString()
    await record(trx, { actor, at, kind: 'order', id, action: 'cancelled', before, after })
    return updated
  })
  if (cancelled) return
  const current = (await findOrder(deps.database.kysely, id)) ?? order
  const message = orderConflictText(STATUS_LABELS[statusOf(current)])
  throw new ShopError('EDIT_CONFLICT', { message })
}
