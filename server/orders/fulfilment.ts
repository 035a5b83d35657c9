import { ADMIN_MESSAGES, orderConflictText } from '#lib/admin/messages.ts'
import type { FulfilmentStatus } from '#lib/admin/orders.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import type { OrderStatusChanges, OrderStatusReport } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import { STATUS_MAIL_DELAY } from '#lib/time.ts'
import { record, type Actor } from '../accounts/audit.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { enqueueMail, withdrawMail } from '../platform/mail/outbox.ts'
import { readMailDeps, shopperMailId, statusMail } from './mails.ts'
import { requireOrder } from './order-queries.ts'
import { readAdminOrders } from './order-view.ts'
import type { CheckoutDeps } from './reconcile.ts'
import { hasUnacknowledgedReversal } from './reversals/reversal-queries.ts'
import { setFulfilmentStatus, statusOf } from './transitions.ts'

interface FulfilmentChange {
  from: FulfilmentStatus
  to: FulfilmentStatus
  actor: Actor
}

const PREVIOUS_STATUS: Partial<Record<FulfilmentStatus, FulfilmentStatus>> = { packed: 'pending', delivered: 'packed' }

/**
 * Changes the status only if it is still `from`, the status that the administrator saw. Throws ORDER_NOT_FOUND,
 * EDIT_CONFLICT, ORDER_ON_HOLD.
 */
export async function updateFulfilment(deps: CheckoutDeps, id: string, change: FulfilmentChange): Promise<void> {
  const order = await applyChange(deps, id, change)
  if (order.fulfilment_status === change.to) return
  throw new ShopError('EDIT_CONFLICT', { message: orderConflictText(STATUS_LABELS[statusOf(order)]) })
}

/** Updates each order in its own transaction. In the result, `left` lists the orders that could not be changed. */
export async function updateFulfilments(
  deps: CheckoutDeps,
  actor: Actor,
  { ids, from, to }: OrderStatusChanges
): Promise<OrderStatusReport> {
  const reached = new Set<string>()
  for (const id of new Set(ids)) {
    const order = await applyChange(deps, id, { from, to, actor }).catch(ignoreShopError)
    if (order?.fulfilment_status === to) reached.add(id)
  }
  const { orders } = await readAdminOrders(deps, { ids: ids.join(',') }, ORDER_LIMITS.maxBatch)
  return {
    moved: orders.filter(({ _id }) => reached.has(_id)),
    left: orders.filter(({ _id }) => !reached.has(_id))
  }
}

/** Changes the status only if it is still `from`. Returns the current order, changed or not. Throws ORDER_ON_HOLD. */
async function applyChange(deps: CheckoutDeps, id: string, { from, to, actor }: FulfilmentChange): Promise<OrderRow> {
  const now = deps.clock()
  const at = new Date(now).toISOString()
  const isStepBack = PREVIOUS_STATUS[to] !== from
  const updated = await deps.write(async trx => {
    const order = await setFulfilmentStatus(trx, id, from, { fulfilment_status: to, ...statusTimes(from, to, at) })
    if (!order) return undefined
    if (!isStepBack && (await hasUnacknowledgedReversal(trx, id))) {
      throw new ShopError('ORDER_ON_HOLD', { message: ADMIN_MESSAGES.orderOnHold })
    }
    if (isStepBack) await withdrawMail(trx, shopperMailId(from, id))
    else await enqueueStatusMail(trx, deps, order, now)
    const action = isStepBack ? 'returned' : 'moved'
    await record(trx, { actor, at, kind: 'order', id, action, before: { status: from }, after: { status: to } })
    return order
  })
  return updated ?? requireOrder(deps.database.kysely, id)
}

function statusTimes(
  from: FulfilmentStatus,
  to: FulfilmentStatus,
  at: string
): Partial<Pick<OrderRow, 'packed_at' | 'delivered_at'>> {
  if (to === 'pending') return { packed_at: null }
  if (to === 'delivered') return { delivered_at: at }
  return from === 'delivered' ? { delivered_at: null } : { packed_at: at }
}

// Delays the mail until the administrator can no longer undo the change.
async function enqueueStatusMail(trx: Trx, deps: CheckoutDeps, order: OrderRow, now: number): Promise<void> {
  const to = order.fulfilment_status
  if (to !== 'packed' && to !== 'delivered') return
  const due = new Date(now + STATUS_MAIL_DELAY).toISOString()
  await enqueueMail(trx, statusMail(await readMailDeps(trx, deps), order, to), new Date(now).toISOString(), due)
}

function ignoreShopError(error: unknown): undefined {
  if (!(error instanceof ShopError)) throw error
}
