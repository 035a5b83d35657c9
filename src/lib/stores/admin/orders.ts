import { atom, computed, readonlyType } from 'nanostores'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { listOpenReversals } from '../../admin/orders.ts'
import { KITCHEN_FILTERS, type FulfilmentStatus } from '../../contract/names.ts'
import { api, apiFile, type Api } from '../../api.ts'
import type {
  OrderChangeRequest,
  OrderRefundRequest,
  OrderStatusChange,
  AdminOrder
} from '../../contract/desk.ts'
import type { Shipment } from '../../contract/orders.ts'
import type { KitchenOrder } from '../../contract/kitchen.ts'
import { plural, t } from '../../contract/texts.ts'
import type { Credential } from '../../contract/values.ts'
import { ShopError } from '../../errors.ts'
import { STATUS_LABELS } from '../../order.ts'
import { loadInto, type LoadState } from '../load-state.ts'
import { deviceHeaders } from '../session.ts'
import { notify } from '../toasts.ts'
import { $may } from './access.ts'
import { offerUndo, toastErrors } from './notices.ts'

export type OrderListQuery = Api['GET /admin/orders']['query']
/** The kitchen's orders have no prices. */
export type StaffOrder = AdminOrder | KitchenOrder
interface StaffOrderList {
  orders: readonly StaffOrder[]
  count: number
  pages: number
}

const $byId = atom<Readonly<Record<string, StaffOrder>>>({})
const $page = atom<LoadState<Omit<StaffOrderList, 'orders'> & { ids: readonly string[] }>>({
  state: 'loading'
})
let requests = 0
/** The request that an order in `$byId` is from. */
const requestOf = new Map<string, number>()

export const $orderById = readonlyType($byId)

/** An order stays in the list if its status changes, because rows must not jump. */
export const $orders = computed([$page, $byId], (page, byId): LoadState<StaffOrderList> => {
  if (page.state !== 'ready') return page
  const { ids, ...size } = page.value
  return { state: 'ready', value: { ...size, orders: ids.flatMap(id => byId[id] ?? []) } }
})

export function loadOrders(query: OrderListQuery): Promise<void> {
  return loadInto($page, async () => {
    const request = ++requests
    const { orders, ...size } = await readOrders(query)
    storeOrders(request, orders)
    return { ...size, ids: toIds(orders) }
  })
}

export async function readAdminOrder(id: string): Promise<StaffOrder> {
  const request = ++requests
  const order = await api(`GET /admin/${ordersPath()}/{id}`, { params: { id } })
  storeOrders(request, [order])
  return order
}

export async function readOrdersById(ids: readonly string[]): Promise<StaffOrder[]> {
  const { orders } = await readOrders({ ids: ids.join(',') })
  return orders.toSorted((a, b) => ids.indexOf(a._id) - ids.indexOf(b._id))
}

export async function setOrderStatus(
  { _id, orderNumber, status }: Pick<StaffOrder, '_id' | 'orderNumber' | 'status'>,
  to: FulfilmentStatus
): Promise<void> {
  const from = status as FulfilmentStatus
  await sendStatus(_id, { from, to })
  const undo = () => sendStatus(_id, { from: to, to: from })
  offerUndo({ text: toStatusText(t('Order {number}', { number: orderNumber }), to), undo })
}

export async function toastOrderErrors(
  { _id, orderNumber }: Pick<StaffOrder, '_id' | 'orderNumber'>,
  action: () => Promise<void>
): Promise<void> {
  await toastErrors(
    action,
    ADMIN_MESSAGES.notSaved(t('Order {number}', { number: orderNumber })),
    _id
  )
}

/** Skips orders that somebody else has changed. One that is shipped gets the new tracking. */
export async function shipOrders(
  orders: readonly StaffOrder[],
  toShipment: (order: StaffOrder) => Shipment
): Promise<void> {
  const to = 'shipped'
  const shipped: StaffOrder[] = []
  let changed = 0
  try {
    for (const order of orders) {
      const from = order.status === to ? to : 'packed'
      try {
        await sendStatus(order._id, { from, to, shipment: toShipment(order) })
        if (from !== to) shipped.push(order)
      } catch (error) {
        if (orders.length === 1 || !isChanged(error)) throw error
        changed++
      }
    }
  } finally {
    // Also if the network fails on the way.
    notifyNotChanged(changed)
    const only = shipped.length === 1 ? shipped[0] : undefined
    const subject = only && t('Order {number}', { number: only.orderNumber })
    offerUndoOfAll(toIds(shipped), 'packed', to, subject)
  }
}

function offerUndoOfAll(
  ids: readonly string[],
  from: FulfilmentStatus,
  to: FulfilmentStatus,
  subject = plural(ids.length, '{count} order', '{count} orders')
) {
  if (ids.length === 0) return
  offerUndo({ text: toStatusText(subject, to), undo: () => sendStatuses(ids, to, from) })
}

function toIds(orders: readonly StaffOrder[]) {
  return orders.map(({ _id }) => _id)
}

function toStatusText(subject: string, status: FulfilmentStatus) {
  return `${subject}: ${STATUS_LABELS[status].toLowerCase()}`
}

export async function setOrderStatuses(
  orders: readonly StaffOrder[],
  from: FulfilmentStatus,
  to: FulfilmentStatus
): Promise<void> {
  offerUndoOfAll(await sendStatuses(toIds(orders), from, to), from, to)
}

export async function cancelOrderAsAdmin(
  { _id, status }: AdminOrder,
  reason: string,
  credential: Credential
): Promise<void> {
  const from = KITCHEN_FILTERS.find(known => known === status) ?? 'pending'
  const request = { params: { id: _id }, body: { from, reason, proof: credential } }
  const { paymentStatus } = await storeReply(_id, () =>
    api('POST /admin/orders/{id}/cancel', request, { headers: deviceHeaders() })
  )
  const text = paymentStatus === 'refunding' && ADMIN_MESSAGES.refundStarted
  notify({ title: t('Order cancelled'), ...(text && { text }) })
}

export async function changeOrderAsAdmin(
  { _id }: AdminOrder,
  body: OrderChangeRequest
): Promise<void> {
  await storeReply(_id, () => api('POST /admin/orders/{id}/change', { params: { id: _id }, body }))
  notify({ title: t('Order changed. The customer gets an email.') })
}

export async function refundOrder({ _id }: AdminOrder, body: OrderRefundRequest): Promise<void> {
  await storeReply(_id, () => api('POST /admin/orders/{id}/refund', { params: { id: _id }, body }))
  notify({ title: ADMIN_MESSAGES.refundStarted, text: t('The customer gets an email.') })
}

export async function retryRefund({ _id, razorpay_payment_id: id }: AdminOrder): Promise<void> {
  const request = { params: { id: id ?? '' }, body: { decision: 'refund' } } as const
  const { message: title } = await api('POST /admin/unmatched-payments/{id}', request)
  notify({ title })
  await readAdminOrder(_id)
}

export async function acknowledgeReversals(order: AdminOrder): Promise<void> {
  const body = { reversals: listOpenReversals(order).map(({ id }) => id) }
  const request = { params: { id: order._id }, body }
  await storeReply(order._id, () => api('POST /admin/orders/{id}/acknowledge', request))
  notify({ title: t('The order can go on.') })
}

export function exportOrders({ page: _, ...query }: OrderListQuery): Promise<Blob> {
  return apiFile('GET /admin/orders/export', { query })
}

async function sendStatus(id: string, body: OrderStatusChange) {
  await storeReply<StaffOrder>(id, () =>
    api(`POST /admin/${ordersPath()}/{id}/move`, { params: { id }, body })
  )
}

async function sendStatuses(ids: readonly string[], from: FulfilmentStatus, to: FulfilmentStatus) {
  const body = { ids: [...ids], from, to }
  const { moved, left } = await api(`POST /admin/${ordersPath()}/move`, { body })
  storeOrders(++requests, [...moved, ...left])
  notifyNotChanged(left.length)
  return toIds(moved)
}

function notifyNotChanged(count: number) {
  if (count === 0) return
  const title = plural(
    count,
    '{count} order not updated: the status has changed, or the order is on hold.',
    '{count} orders not updated: the status has changed, or the order is on hold.'
  )
  notify({ title, kind: 'destructive' })
}

async function storeReply<Order extends StaffOrder>(
  id: string,
  send: () => Promise<Order>
): Promise<Order> {
  const request = ++requests
  try {
    const order = await send()
    // The reply to a later change may have come first, so which of both is newer is not known.
    if ((requestOf.get(id) ?? 0) > request) await readAdminOrder(id)
    else storeOrders(++requests, [order])
    return order
  } catch (error) {
    if (isChanged(error)) await readAdminOrder(id)
    throw error
  }
}

function isChanged(error: unknown) {
  return (
    error instanceof ShopError && (error.code === 'EDIT_CONFLICT' || error.code === 'ORDER_ON_HOLD')
  )
}

function ordersPath(): 'orders' | 'kitchen/orders' {
  return $may.get()('GET /admin/orders') ? 'orders' : 'kitchen/orders'
}

function readOrders(query: OrderListQuery): Promise<StaffOrderList> {
  if (ordersPath() === 'orders') return api('GET /admin/orders', { query })
  const { q: _q, user: _user, status, ...rest } = query
  const open = KITCHEN_FILTERS.find(known => known === status)
  return api('GET /admin/kitchen/orders', { query: { ...rest, ...(open && { status: open }) } })
}

/** Not those that a later request has answered before. A change counts from its reply. */
function storeOrders(request: number, orders: readonly StaffOrder[]) {
  const newer = orders.filter(({ _id }) => (requestOf.get(_id) ?? 0) <= request)
  for (const { _id } of newer) requestOf.set(_id, request)
  $byId.set({ ...$byId.get(), ...Object.fromEntries(newer.map(order => [order._id, order])) })
}
