import { orderConflictText } from '#lib/admin/messages.ts'
import { FULFILMENT_STATUSES, type FulfilmentStatus } from '#lib/contract/names.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import {
  isStatusStep,
  type OrderMessage,
  type OrderStatusChange,
  type OrderStatusChanges,
  type OrderStatusReport
} from '#lib/contract/desk.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { listFulfilmentSteps, STATUS_LABELS, toStatusText } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatDate, STATUS_MAIL_DELAY, toDayInIndia, toIso } from '#lib/time.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import { inLanguage } from '../../platform/language.ts'
import { type Block, type Mail, toText } from '../../platform/mail/mail.ts'
import { enqueueMail, withdrawMail } from '../../platform/mail/outbox.ts'
import {
  deliveryText,
  type MailDeps,
  type OrderMail,
  shopperMailId,
  placeText,
  readMailDeps,
  shopperMail
} from '../mails.ts'
import { hasUnacknowledgedReversal } from '../payment/refunds.ts'
import { updateAtStatus } from '../payment/transitions.ts'
import {
  type CheckoutDeps,
  customerOf,
  detailsOf,
  findChanges,
  requireOrder,
  statusOf,
  type StoredChange
} from '../queries.ts'
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

function hasSameShipment(order: OrderRow, { from, to, shipment }: OrderStatusChange) {
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
        throw new ShopError('ORDER_ON_HOLD', {
          message: t(
            'Razorpay reports a refund or dispute for this order. ' +
              'Check it on the order’s page first.'
          )
        })
      }
      if (isStepBack || isCorrection) await withdrawMail(trx, shopperMailId(from, id))
      if (!isStepBack && to !== 'pending') {
        const mail = statusMail(await readMailDeps(trx, deps, order), order, to)
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

export function statusMail(deps: MailDeps, order: OrderRow, to: keyof typeof MAILS): Mail {
  return shopperMail(deps, order, () => ({
    mailType: to,
    ...MAILS[to](order, placeText(order, deps.shop.pickupPlace))
  }))
}

type Compose = (order: OrderRow, place: string) => Omit<OrderMail, 'mailType'>

const MAILS: Readonly<Record<Exclude<FulfilmentStatus, 'pending'>, Compose>> = {
  packed({ order_no: order, delivery_method, delivery_date }, place) {
    const news =
      delivery_method === 'pickup'
        ? t('Your order is packed. We’ll tell you when you can pick it up.')
        : delivery_date === null
          ? t('Your order is packed and leaves our kitchen soon.')
          : t('Your order is packed. It should reach you on {day}.', dayOf(delivery_date))
    return { subject: t('Your order {order} is packed', { order }), blocks: [news, place] }
  },
  shipped(row, place) {
    const { order_no: order, delivery_date, courier, tracking_number, tracking_link: link } = row
    const news =
      delivery_date === null
        ? t('Your order is on its way.')
        : t('Your order is on its way. It should reach you on {day}.', dayOf(delivery_date))
    const tracking = [
      ...(courier ? [[t('Courier'), courier] as const] : []),
      ...(tracking_number ? [[t('Tracking number'), tracking_number] as const] : [])
    ]
    const links = link ? [{ label: t('Track it'), url: link, isQuiet: true }] : []
    return {
      subject: t('Your order {order} is on its way', { order }),
      blocks: [news, tracking, ...links, place]
    }
  },
  ready({ order_no: order, delivery_date }, place) {
    const news =
      delivery_date === null
        ? t('Your order is ready. You can pick it up at our kitchen.')
        : t(
            'Your order is ready. You can pick it up at our kitchen. You chose {day}.',
            dayOf(delivery_date)
          )
    return {
      subject: t('Your order {order} is ready for pickup', { order }),
      blocks: [news, place]
    }
  },
  delivered({ order_no: order, delivery_method }) {
    const isPickup = delivery_method === 'pickup'
    return {
      subject: t(
        isPickup
          ? 'Your order {order} has been picked up'
          : 'Your order {order} has been delivered',
        { order }
      ),
      blocks: [
        t(
          isPickup
            ? 'Your order has been picked up. We hope it tastes of home!'
            : 'Your order has been delivered. We hope it tastes of home!'
        ),
        t('Something broken, spoiled, wrong or missing? Please tell us today.')
      ]
    }
  }
}

type MessageKind = OrderMessage['kind']

/** For the owner to send, in the language of the order: of its status and what follows. */
export async function composeMessages(deps: CheckoutDeps, id: string): Promise<OrderMessage[]> {
  const db = deps.database.kysely
  const order = await requireOrder(db, id)
  const kinds = listMessageKinds(order)
  if (kinds.length === 0) return []
  const changes = (await findChanges(db, [order])).get(id) ?? []
  const newDay = findNewDay(order, changes, toDayInIndia(deps.clock()))
  const { shop, config, orderLink } = await deps.write(trx => readMailDeps(trx, deps, order), {
    shows: 'nothing'
  })
  return inLanguage(order.language, () => {
    const greeting = t('Vanakkam {name}, this is {shop} about your order {order}.', {
      name: toOneLine(customerOf(order).name),
      shop: shop.name,
      order: order.order_no
    })
    // Without the customer's address, because such a text may be passed on.
    const place = order.delivery_method === 'pickup' ? placeText(order, shop.pickupPlace) : ''
    const link = { label: t('See your order'), url: orderLink ?? config.siteUrl + paths.orders }
    return kinds.map(kind => {
      const blocks = [greeting, ...composeNews(kind, order, place, newDay), link]
      return { kind, text: blocks.map(toText).filter(Boolean).join('\n\n') }
    })
  })
}

function listMessageKinds(order: OrderRow): MessageKind[] {
  const status = FULFILMENT_STATUSES.find(each => each === statusOf(order))
  if (status === undefined || order.anonymised_at !== null) return []
  const steps = listFulfilmentSteps({ deliveryMethod: order.delivery_method ?? undefined })
  const next = steps.slice(steps.indexOf(status) + 1, -1)
  const canBeLate = status !== 'ready' && status !== 'delivered'
  return [status, ...next, ...(canBeLate ? (['delayed'] as const) : [])]
}

function composeNews(
  kind: MessageKind,
  order: OrderRow,
  place: string,
  newDay: string | undefined
): readonly Block[] {
  if (kind === 'pending') return [toStatusText({ status: kind }), deliveryText(order)]
  if (kind !== 'delayed') return MAILS[kind](order, place).blocks
  if (newDay === undefined)
    return [t('We are sorry: your order is delayed. We’ll tell you the new day soon.')]
  return [
    t(
      order.delivery_method === 'pickup'
        ? 'We are sorry: your order is delayed. You can pick it up on {day}.'
        : 'We are sorry: your order is delayed. It should reach you on {day}.',
      dayOf(newDay)
    )
  ]
}

/** If the shop has changed it. A day that the order does not have would be an empty promise. */
function findNewDay(
  { delivery_date: day }: OrderRow,
  changes: readonly StoredChange[],
  today: string
): string | undefined {
  const isNew = changes.some(change => detailsOf(change).deliveryDate !== undefined)
  return isNew && day !== null && day >= today ? day : undefined
}

const dayOf = (day: string): { day: string } => ({ day: formatDate(day) })
