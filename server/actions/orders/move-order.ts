import { orderMeanwhile } from '#lib/admin/messages.ts'
import { ORDER_LISTS, type WayStatus } from '#lib/admin/orders.ts'
import type { MovedOrders, OrderMoves } from '#lib/contract/admin/orders.ts'
import type { Order } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { STATUS_WORDS } from '#lib/order-status.ts'
import { MAIL_REST } from '#lib/time.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import type { Trx } from '../../db/tables.ts'
import { shopperMailId } from '../../mails/order-parts.ts'
import { movedMail } from '../../mails/status-mails.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { findOrder } from '../../queries/orders/orders.ts'
import { moveFulfilment } from '../../queries/orders/transitions.ts'
import { promiseMail, withdrawMail } from '../../queries/outbox.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { readAdminOrders } from './list-orders.ts'
import { withLines } from './read-orders.ts'
import { statusOf } from './to-order.ts'

/** One step on or back, and who takes it. */
export interface Step {
  from: WayStatus
  to: WayStatus
  actor: Actor
}

const BEFORE = { packed: 'pending', delivered: 'packed' } as const

/**
 * Notes that an order has been packed, or delivered, and tells the shopper. Asked again, the same. Throws ShopError
 * ORDER_NOT_FOUND, ORDER_NOT_MOVABLE when it is at another point of its way.
 */
export async function moveOrder(deps: CheckoutDeps, id: string, to: 'packed' | 'delivered'): Promise<Order> {
  const order = await step(deps, id, { from: BEFORE[to], to, actor: null })
  if (order.fulfil_state !== to) throw new ShopError('ORDER_NOT_MOVABLE')
  return withLines(deps, order)
}

/**
 * As an administrator moves an order from where it stood when they looked. Who it was moved by already has what they
 * wanted. Throws ShopError ORDER_NOT_FOUND, CHANGED_MEANWHILE when it stands elsewhere.
 */
export async function moveSeen(deps: CheckoutDeps, id: string, wanted: Step): Promise<void> {
  const order = await step(deps, id, wanted)
  if (order.fulfil_state === wanted.to) return
  throw new ShopError('CHANGED_MEANWHILE', { message: orderMeanwhile(STATUS_WORDS[statusOf(order)]) })
}

/** Many at once, each by itself: one that stands elsewhere holds up none of the others. */
export async function moveMany(deps: CheckoutDeps, actor: Actor, { ids, from, to }: OrderMoves): Promise<MovedOrders> {
  const reached = new Set<string>()
  for (const id of new Set(ids)) {
    const order = await step(deps, id, { from, to, actor }).catch(unlessGone)
    if (order?.fulfil_state === to) reached.add(id)
  }
  const { orders } = await readAdminOrders(deps, { ids: ids.join(',') }, ORDER_LISTS.most)
  return {
    moved: orders.filter(({ _id }) => reached.has(_id)),
    left: orders.filter(({ _id }) => !reached.has(_id))
  }
}

/** The order as it stands afterwards, moved or not. */
async function step(deps: CheckoutDeps, id: string, { from, to, actor }: Step): Promise<OrderRow> {
  const now = deps.clock()
  const at = new Date(now).toISOString()
  const isBack = BEFORE_OR_NONE[to] !== from
  const moved = await deps.write(async trx => {
    const order = await moveFulfilment(trx, id, from, { fulfil_state: to, ...timesOf(from, to, at) })
    if (!order) return undefined
    if (isBack) await withdrawMail(trx, shopperMailId(from, id))
    else await tell(trx, deps, order, now)
    const what = isBack ? 'returned' : 'moved'
    await record(trx, { actor, at, kind: 'order', id, what, before: { status: from }, after: { status: to } })
    return order
  })
  const order = moved ?? (await findOrder(deps.database.kysely, id))
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

const BEFORE_OR_NONE: Partial<Record<WayStatus, WayStatus>> = BEFORE

function timesOf(from: WayStatus, to: WayStatus, at: string): Partial<Pick<OrderRow, 'packed_at' | 'delivered_at'>> {
  if (to === 'pending') return { packed_at: null }
  if (to === 'delivered') return { delivered_at: at }
  return from === 'delivered' ? { delivered_at: null } : { packed_at: at }
}

// The mail waits until the step can't be undone by one press any more.
async function tell(trx: Trx, deps: CheckoutDeps, order: OrderRow, now: number): Promise<void> {
  const to = order.fulfil_state
  if (to !== 'packed' && to !== 'delivered') return
  const due = new Date(now + MAIL_REST).toISOString()
  await promiseMail(trx, movedMail(deps, order, to), new Date(now).toISOString(), due)
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof ShopError)) throw error
}
