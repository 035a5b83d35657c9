import { ADMIN_MESSAGES, orderConflictText } from '#lib/admin/messages.ts'
import type { FulfilmentStatus } from '#lib/contract/names.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import {
  isStatusStep,
  type OrderStatusChange,
  type OrderStatusChanges,
  type OrderStatusReport
} from '#lib/contract/desk.ts'
import { ShopError } from '#lib/errors.ts'
import { listFulfilmentSteps, STATUS_LABELS } from '#lib/order.ts'
import { formatDate, STATUS_MAIL_DELAY, toIso } from '#lib/time.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Block } from '../../platform/mail/mail.ts'
import { enqueueMail, withdrawMail } from '../../platform/mail/outbox.ts'
import { placeText, readMailDeps, shopperMail, shopperMailId } from '../mails.ts'
import { hasUnacknowledgedReversal } from '../payment/refunds.ts'
import { updateAtStatus } from '../payment/transitions.ts'
import { type CheckoutDeps, requireOrder, statusOf } from '../queries.ts'
import { readAdminOrders } from './orders.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

type FulfilmentChange = OrderStatusChange & { actor: Actor }

export async function updateFulfilment(
  deps: CheckoutDeps,
  id: string,
  change: FulfilmentChange
): Promise<void> {
  const order = await applyChange(deps, id, change)
  if (statusOf(order) === change.to && hasSameShipment(order, change)) return
  throw new ShopError('EDIT_CONFLICT', {
    message: orderConflictText(STATUS_LABELS[statusOf(order)])
  })
}

function hasSameShipment(order: OrderRow, { from, to, shipment }: OrderStatusChange): boolean {
  if (!shipment || to !== 'shipped' || from === 'delivered') return true
  const { courier, trackingNumber, trackingLink } = shipment
  return (
    order.courier === courier &&
    order.tracking_number === trackingNumber &&
    order.tracking_link === trackingLink
  )
}

export async function updateFulfilments(
  deps: CheckoutDeps,
  actor: Actor,
  { ids, from, to }: OrderStatusChanges
): Promise<OrderStatusReport> {
  const reached = new Set<string>()
  for (const id of new Set(ids)) {
    const order = await applyChange(deps, id, { from, to, actor }).catch((error: unknown) => {
      if (!(error instanceof ShopError)) throw error
    })
    if (order && statusOf(order) === to) reached.add(id)
  }
  const { orders } = await readAdminOrders(deps, { ids: ids.join(',') }, ORDER_LIMITS.maxBatch)
  return {
    moved: orders.filter(({ _id }) => reached.has(_id)),
    left: orders.filter(({ _id }) => !reached.has(_id))
  }
}

async function applyChange(
  deps: CheckoutDeps,
  id: string,
  change: FulfilmentChange
): Promise<OrderRow> {
  const { from, to, actor } = change
  const now = deps.clock()
  const at = toIso(now)
  const updated = await deps.write(
    async trx => {
      const order = await updateAtStatus(trx, id, from, toColumns(change, at))
      if (!order) return undefined
      const steps = listFulfilmentSteps({ deliveryMethod: order.delivery_method ?? undefined })
      // A shipped order is shipped again to correct its courier or tracking number.
      const isCorrection = from === to
      if (!isCorrection && !isStatusStep(from, to, steps)) {
        throw new ShopError('INVALID_INPUT', { fields: { to: ADMIN_TEXTS.orderStatusOrder } })
      }
      const isStepBack = steps.indexOf(to) < steps.indexOf(from)
      if (!isStepBack && !isCorrection && (await hasUnacknowledgedReversal(trx, id))) {
        throw new ShopError('ORDER_ON_HOLD', { message: ADMIN_MESSAGES.orderOnHold })
      }
      if (isStepBack || isCorrection) await withdrawMail(trx, shopperMailId(from, id))
      if (!isStepBack && to !== 'pending') {
        const mailDeps = await readMailDeps(trx, deps)
        const [end, blocks] = TEXTS[to](order, placeText(order, mailDeps.shop.pickupPlace))
        const subject = `Your order ${order.order_no} ${end}`
        const mail = shopperMail(mailDeps, order, { mailType: to, subject, blocks })
        // Delays the mail until the administrator can no longer undo the change.
        await enqueueMail(trx, mail, at, toIso(now + STATUS_MAIL_DELAY))
      }
      // Without the tracking number, because the audit log keeps it longer than the order.
      const { courier } = change.shipment ?? {}
      const action = isCorrection ? 'changed' : isStepBack ? 'returned' : 'moved'
      const before = isCorrection ? {} : { status: from }
      const after = {
        ...(!isCorrection && { status: to }),
        ...(courier !== undefined && { courier })
      }
      await record(trx, { actor, at, kind: 'order', id, action, before, after })
      return order
    },
    { shows: 'stock' }
  )
  return updated ?? requireOrder(deps.database.kysely, id)
}

/** A delivered order keeps its shipment, so that the delivery can be undone. */
function toColumns({ from, to, shipment }: OrderStatusChange, at: string): Partial<OrderRow> {
  if (to === 'pending') return { fulfilment_status: to, packed_at: null }
  if (to === 'delivered') return { fulfilment_status: to, delivered_at: at }
  if (from === 'delivered') return { fulfilment_status: 'packed', delivered_at: null }
  if (from === 'pending') return { fulfilment_status: 'packed', packed_at: at }
  const shown = to === 'shipped' ? shipment : undefined
  return {
    ...(from !== to && { dispatched_at: to === 'packed' ? null : at }),
    courier: shown?.courier ?? null,
    tracking_number: shown?.trackingNumber ?? null,
    tracking_link: shown?.trackingLink ?? null
  }
}

type Texts = (
  order: OrderRow,
  place: string
) => readonly [endOfSubject: string, blocks: readonly Block[]]

const TEXTS: Readonly<Record<Exclude<FulfilmentStatus, 'pending'>, Texts>> = {
  packed: (order, place) => {
    if (order.delivery_method === 'pickup')
      return [
        'is packed',
        ['Your order is packed. We’ll email you when you can pick it up.', place]
      ]
    const text =
      order.delivery_date === null
        ? 'Your order is packed and leaves our kitchen soon.'
        : arrivalText('is packed', order)
    return ['is packed', [text, place]]
  },
  shipped: (order, place) => {
    const { courier, tracking_number, tracking_link } = order
    const tracking = [
      ...(courier ? [['Courier', courier] as const] : []),
      ...(tracking_number ? [['Tracking number', tracking_number] as const] : [])
    ]
    const link = tracking_link ? [`Track it: ${tracking_link}`] : []
    return ['is on its way', [arrivalText('is on its way', order), tracking, ...link, place]]
  },
  ready: ({ delivery_date }, place) => {
    const day = delivery_date === null ? '' : ` You chose ${formatDate(delivery_date)}.`
    return [
      'is ready for pickup',
      [`Your order is ready. You can pick it up at our kitchen.${day}`, place]
    ]
  },
  delivered: ({ delivery_method }) => {
    const end = delivery_method === 'pickup' ? 'has been picked up' : 'has been delivered'
    return [
      end,
      [
        `Your order ${end}. We hope it tastes of home!`,
        'Something broken, spoiled, wrong or missing? Please tell us today.'
      ]
    ]
  }
}

function arrivalText(state: string, { delivery_date }: OrderRow): string {
  const arrival =
    delivery_date === null ? '' : ` It should reach you on ${formatDate(delivery_date)}.`
  return `Your order ${state}.${arrival}`
}
