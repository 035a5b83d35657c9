import { t } from '#lib/contract/texts.ts'
import { orderConflictText } from '#lib/admin/messages.ts'
import { type FulfilmentStatus, KITCHEN_FILTERS } from '#lib/contract/names.ts'
import type { OrderCancellation } from '#lib/contract/desk.ts'
import { ShopError } from '#lib/errors.ts'
import { type Paise, toPaise } from '#lib/money.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import { DAY, type EpochMs, toIso } from '#lib/time.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import { ringOrder } from '../../bell/bell.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { countAttempts } from '../../platform/http/limits.ts'
import { enqueueMail, enqueueMails, withdrawMail } from '../../platform/mail/outbox.ts'
import { releaseReserved } from '../checkout/reservations.ts'
import { cancelledByShopMail, cancelledMails, readMailDeps, shopperMailId } from '../mails.ts'
import { reconcileAndRelease, throwUnavailable } from '../payment/reconcile.ts'
import { createRefund, lockBalance } from '../payment/refunds.ts'
import { updateAtStatus, updateOrder } from '../payment/transitions.ts'
import {
  type CheckoutDeps,
  findLinesOf,
  requireOrder,
  requireOwnOrder,
  statusOf
} from '../queries.ts'
import { nextCreditNote } from '../tax/invoices.ts'
import { readCancellationRules, toCancelState } from '../view.ts'

/** An order that costs nothing has no payment. */
const NO_PAYMENT = { paid: 0, processed: 0, open: 0, reported: 0 }
/** Each one costs the shop the provider's fee. Further ones need a call to the shop. */
const MAX_PAID_CANCELLATIONS_PER_DAY = 3

export async function cancelOrder(deps: CheckoutDeps, userId: string, id: string): Promise<void> {
  const order = await requireOwnOrder(deps.database.kysely, userId, id)
  const isCancelled =
    order.fulfilment_status === 'cancelled' || order.cancelled_by_shopper_at !== null
  if (order.payment_state === 'awaiting') await cancelUnpaid(deps, order)
  else if (!isCancelled) await cancelPaid(deps, order)
}

async function cancelUnpaid(deps: CheckoutDeps, order: OrderRow) {
  if (await reconcileAndRelease(deps, order, 'cancelled').catch(throwUnavailable)) return
  // A webhook may have paid the order, or another request may have cancelled it.
  const current = await requireOrder(deps.database.kysely, order.id)
  if (statusOf(current) !== 'cancelled') throw new ShopError('ORDER_NOT_CANCELLABLE')
}

async function cancelPaid(deps: CheckoutDeps, order: OrderRow) {
  const rules = await readCancellationRules(deps)
  const { now } = rules
  const lines = await findLinesOf(deps.database.kysely, order.id)
  if (!toCancelState(order, lines, rules).canCancel) throw new ShopError('ORDER_NOT_CANCELLABLE')
  const limit = {
    key: `paid cancellations of ${order.user_id}`,
    max: MAX_PAID_CANCELLATIONS_PER_DAY,
    window: DAY
  }
  await deps.write(
    async trx => {
      const cancelled = await cancelAndRefund(trx, order, 'pending', now)
      if (!cancelled) throw new ShopError('ORDER_NOT_CANCELLABLE')
      const mailDeps = await readMailDeps(trx, deps, cancelled.order)
      const mails = cancelledMails(mailDeps, cancelled.order, cancelled.refund)
      await enqueueMails(trx, mails, toIso(now))
      await ringOrder(trx, 'cancelled', cancelled.order, toIso(now))
      if (await countAttempts(trx, [limit], now)) return
      throw new ShopError('ORDER_NOT_CANCELLABLE', {
        message: t('You have cancelled several orders today. Please call us to cancel this one.')
      })
    },
    { shows: 'stock' }
  )
}

export async function cancelAsAdmin(
  deps: CheckoutDeps,
  actor: Actor,
  id: string,
  { from, reason }: Omit<OrderCancellation, 'proof'>
): Promise<void> {
  const db = deps.database.kysely
  const order = await requireOrder(db, id)
  const cancellation = { actor, from, reason, now: deps.clock() }
  const isDone = await deps.write(trx => cancelByShop(trx, deps, order, cancellation), {
    shows: 'stock'
  })
  if (isDone) return
  const current = await requireOrder(db, id)
  if (current.fulfilment_status === 'cancelled') return
  throw new ShopError('EDIT_CONFLICT', {
    message: orderConflictText(STATUS_LABELS[statusOf(current)])
  })
}

export async function cancelByShop(
  trx: Trx,
  deps: CheckoutDeps,
  order: OrderRow,
  {
    actor,
    from,
    reason,
    now
  }: { actor: Actor; from: FulfilmentStatus; reason: string; now: EpochMs }
): Promise<boolean> {
  const { id } = order
  const at = toIso(now)
  const cancelled = await cancelAndRefund(trx, order, from, now)
  if (!cancelled) return false
  const { refund } = cancelled
  const mailDeps = await readMailDeps(trx, deps, cancelled.order)
  await enqueueMail(trx, cancelledByShopMail(mailDeps, cancelled.order, { reason, refund }), at)
  // A waiting mail such as "Your order is packed" must not be sent after the cancellation.
  for (const status of KITCHEN_FILTERS) await withdrawMail(trx, shopperMailId(status, id))
  const [before, after] = [{ status: from }, { status: 'cancelled', reason }]
  await record(trx, { actor, at, kind: 'order', id, action: 'cancelled', before, after })
  return true
}

/** Returns undefined if the order no longer has the status `from`. */
async function cancelAndRefund(
  trx: Trx,
  { id, paid_payment_id: payment }: OrderRow,
  from: FulfilmentStatus,
  now: EpochMs
): Promise<{ order: OrderRow; refund: Paise } | undefined> {
  const at = toIso(now)
  const { paid, processed, open, reported } =
    payment === null ? NO_PAYMENT : await lockBalance(trx, payment)
  const cancelled = await updateAtStatus(trx, id, from, {
    fulfilment_status: 'cancelled',
    payment_state: processed < paid || open > 0 ? 'refund_due' : 'refunded',
    ended_at: at
  })
  if (!cancelled) return undefined
  // While a reversal is pending, it is not known how much is left to refund.
  if (reported > 0 && processed + open < paid) throw new ShopError('ORDER_ON_HOLD')
  await releaseReserved(trx, id, 'cancelled', at)
  const creditNote = await nextCreditNote(trx, now)
  const order = await updateOrder(trx, id, creditNote).executeTakeFirstOrThrow()
  const request = { orderId: id, reason: 'cancelled', now } as const
  const refund = payment === null ? toPaise(0) : await createRefund(trx, payment, request)
  return { order, refund }
}
