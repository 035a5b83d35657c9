import { orderConflictText } from '#lib/admin/messages.ts'
import { KITCHEN_FILTERS, type FulfilmentStatus } from '#lib/contract/names.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import type { OrderCancellation } from '#lib/contract/order-changes.ts'
import type { Order } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { toPaise, type Paise } from '#lib/money.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import { DAY, toDayInIndia } from '#lib/time.ts'
import { record, type Actor } from '../../accounts/audit.ts'
import type { OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { countAttempts } from '../../platform/http/limits.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { enqueueMails, withdrawMail } from '../../platform/mail/outbox.ts'
import { toIso } from '../../platform/process/clock.ts'
import { readSection } from '../../settings/settings.ts'
import {
  cancelledByShopMail,
  cancelledMails,
  readMailDeps,
  shopperMailId,
  type MailDeps
} from '../mails.ts'
import { findLinesOf, requireOwnOrder, requireOrder, type CheckoutDeps } from '../queries.ts'
import { reconcileAndRelease, throwUnavailable } from '../payment/reconcile.ts'
import { createRefund, lockBalance } from '../payment/refunds.ts'
import { releaseReserved } from '../checkout/reservations.ts'
import { updateOrder } from '../payment/transitions.ts'
import { nextCreditNote } from '../tax/invoices.ts'
import { markCancelled, statusOf } from './orders.ts'

interface PaidCancellation {
  from: FulfilmentStatus
  now: number
  mails: (deps: MailDeps, cancelled: OrderRow, refund: Paise) => readonly Mail[]
}

interface ShopCancellation extends Omit<PaidCancellation, 'mails'> {
  actor: Actor
  reason: string
}

/** An order that costs nothing has no payment. */
const NO_PAYMENT = { paid: 0, processed: 0, open: 0, reported: 0 }
/** Each one costs the shop the provider's fee. Further ones need a call to the shop. */
const MAX_PAID_CANCELLATIONS_PER_DAY = 3

export interface CancellationRules {
  now: number
  cancellable: readonly string[]
}

export async function readCancellationRules({
  database,
  clock
}: Pick<CheckoutDeps, 'database' | 'clock'>): Promise<CancellationRules> {
  const { cancellable } = await readSection(database.kysely, 'orders')
  return { now: clock(), cancellable }
}

/** On the day of payment (India time), before packing, and only if all items are cancellable. */
export function toCancelState(
  order: OrderRow,
  lines: readonly Pick<OrderLineRow, 'category'>[],
  { now, cancellable }: CancellationRules
): Pick<Order, 'canCancel' | 'cancelBlock'> {
  const { payment_state, paid_at } = order
  const status = statusOf(order)
  if (payment_state !== 'paid' || paid_at === null) return { canCancel: false }
  if (status === 'shipped') return { canCancel: false, cancelBlock: 'shipped' }
  if (status === 'packed' || status === 'ready') return { canCancel: false, cancelBlock: 'packed' }
  if (status !== 'pending') return { canCancel: false }
  if (!lines.every(({ category }) => cancellable.includes(category)))
    return { canCancel: false, cancelBlock: 'perishable' }
  const isToday = toDayInIndia(Date.parse(paid_at)) === toDayInIndia(now)
  return isToday ? { canCancel: true } : { canCancel: false, cancelBlock: 'later_day' }
}

/** Idempotent. Throws ORDER_NOT_FOUND, ORDER_NOT_CANCELLABLE, ORDER_ON_HOLD. */
export async function cancelOrder(deps: CheckoutDeps, userId: string, id: string): Promise<void> {
  const order = await requireOwnOrder(deps.database.kysely, userId, id)
  const isCancelled =
    order.fulfilment_status === 'cancelled' || order.cancelled_by_shopper_at !== null
  if (order.payment_state === 'awaiting') await cancelUnpaid(deps, order)
  else if (!isCancelled) await cancelPaid(deps, order)
}

async function cancelUnpaid(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  if (await reconcileAndRelease(deps, order, 'cancelled').catch(throwUnavailable)) return
  // A webhook may have paid the order, or another request may have cancelled it.
  const current = await requireOrder(deps.database.kysely, order.id)
  if (statusOf(current) !== 'cancelled') throw new ShopError('ORDER_NOT_CANCELLABLE')
}

async function cancelPaid(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  const rules = await readCancellationRules(deps)
  const { now } = rules
  const lines = await findLinesOf(deps.database.kysely, order.id)
  if (!toCancelState(order, lines, rules).canCancel) throw new ShopError('ORDER_NOT_CANCELLABLE')
  const limit = {
    key: `paid cancellations of ${order.user_id}`,
    max: MAX_PAID_CANCELLATIONS_PER_DAY,
    window: DAY
  }
  const cancelled = await deps.write(
    async trx => {
      if (
        !(await cancelAndRefund(trx, deps, order, { from: 'pending', now, mails: cancelledMails }))
      )
        return false
      if (await countAttempts(trx, [limit], now)) return true
      throw new ShopError('ORDER_NOT_CANCELLABLE', {
        message: CHECKOUT_MESSAGES.tooManyCancellations
      })
    },
    { shows: 'stock' }
  )
  if (!cancelled) throw new ShopError('ORDER_NOT_CANCELLABLE')
}

/** Idempotent. Throws ORDER_NOT_FOUND, EDIT_CONFLICT, ORDER_ON_HOLD. */
export async function cancelAsAdmin(
  deps: CheckoutDeps,
  actor: Actor,
  id: string,
  { from, reason }: Omit<OrderCancellation, 'proof'>
): Promise<void> {
  const db = deps.database.kysely
  const order = await requireOrder(db, id)
  if (
    await deps.write(
      trx => cancelByShop(trx, deps, order, { actor, from, reason, now: deps.clock() }),
      { shows: 'stock' }
    )
  )
    return
  const current = await requireOrder(db, id)
  if (current.fulfilment_status === 'cancelled') return
  throw new ShopError('EDIT_CONFLICT', {
    message: orderConflictText(STATUS_LABELS[statusOf(current)])
  })
}

/** Returns false if the order no longer has the status `from`. */
export async function cancelByShop(
  trx: Trx,
  deps: CheckoutDeps,
  order: OrderRow,
  { actor, from, reason, now }: ShopCancellation
): Promise<boolean> {
  const { id } = order
  const mails = (mailDeps: MailDeps, cancelled: OrderRow, refund: Paise): Mail[] => [
    cancelledByShopMail(mailDeps, cancelled, { reason, refund })
  ]
  if (!(await cancelAndRefund(trx, deps, order, { from, now, mails }))) return false
  // A waiting mail such as "Your order is packed" must not be sent after the cancellation.
  for (const status of KITCHEN_FILTERS) await withdrawMail(trx, shopperMailId(status, id))
  const at = toIso(now)
  const after = { status: 'cancelled', reason }
  await record(trx, {
    actor,
    at,
    kind: 'order',
    id,
    action: 'cancelled',
    before: { status: from },
    after
  })
  return true
}

/** Returns false if the order no longer has the status `from`. */
async function cancelAndRefund(
  trx: Trx,
  deps: CheckoutDeps,
  order: OrderRow,
  { from, now, mails }: PaidCancellation
): Promise<boolean> {
  const { id, paid_payment_id: payment } = order
  const at = toIso(now)
  const { paid, processed, open, reported } =
    payment === null ? NO_PAYMENT : await lockBalance(trx, payment)
  const state = processed < paid || open > 0 ? 'refund_due' : 'refunded'
  if (!(await markCancelled(trx, order, from, { payment_state: state, ended_at: at }))) return false
  // While a reversal is pending, it is not known how much is left to refund.
  if (reported > 0 && processed + open < paid) throw new ShopError('ORDER_ON_HOLD')
  await releaseReserved(trx, id, 'cancelled', at)
  const numbered = await updateOrder(
    trx,
    id,
    await nextCreditNote(trx, now)
  ).executeTakeFirstOrThrow()
  const request = { orderId: id, reason: 'cancelled' } as const
  const refund = payment === null ? toPaise(0) : await createRefund(trx, payment, request, { now })
  await enqueueMails(trx, mails(await readMailDeps(trx, deps), numbered, refund), at)
  return true
}
