import type { Order } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../../clock.ts'
import { movedMail } from '../../mails/status-mails.ts'
import { findOrder } from '../../queries/orders/orders.ts'
import { moveFulfilment } from '../../queries/orders/transitions.ts'
import { promiseMail } from '../../queries/outbox.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { withLines } from './read-orders.ts'

const BEFORE = { packed: 'pending', delivered: 'packed' } as const

/**
 * Notes that an order has been packed, or delivered, and tells the shopper. Asked again, the same. Throws ShopError
 * ORDER_NOT_FOUND, ORDER_NOT_MOVABLE when it is at another point of its way.
 */
export async function moveOrder(deps: CheckoutDeps, id: string, to: 'packed' | 'delivered'): Promise<Order> {
  const now = isoNow(deps.clock)
  const changes = { fulfil_state: to, ...(to === 'packed' ? { packed_at: now } : { delivered_at: now }) }
  const moved = await deps.write(async trx => {
    const order = await moveFulfilment(trx, id, BEFORE[to], changes)
    if (order) await promiseMail(trx, movedMail(deps, order, to), now)
    return order
  })
  const order = moved ?? (await findOrder(deps.database.kysely, id))
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  if (order.fulfil_state !== to) throw new ShopError('ORDER_NOT_MOVABLE')
  return withLines(deps, order)
}
