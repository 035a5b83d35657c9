import { atom, computed, readonlyType } from 'nanostores'
import { ADMIN_MESSAGES, orderMoved, ordersLeft, ordersMoved } from '../../admin/messages.ts'
import type { WayStatus } from '../../admin/orders.ts'
import { api, apiFile } from '../../api.ts'
import type { Proof } from '../../contract/accounts.ts'
import type { AdminOrder, MovedOrders, OrderList } from '../../contract/admin/orders.ts'
import type { Api } from '../../contract/index.ts'
import { STATUS_WORDS } from '../../order-status.ts'
import { ShopError } from '../../shop-error.ts'
import { notify } from '../toasts.ts'
import { offerUndo } from './undo.ts'

/** What is asked of the list. */
export type AskedOrders = Api['GET /admin/orders']['query']

type Listed = { state: 'loading' } | { state: 'failed'; reason: string } | { state: 'ready'; ids: readonly string[] }
type Size = Pick<OrderList, 'count' | 'pages'>

export type Orders =
  Exclude<Listed, { state: 'ready' }> | { state: 'ready'; orders: readonly AdminOrder[]; count: number; pages: number }

const $known = atom<Readonly<Record<string, AdminOrder>>>({})
const $listed = atom<Listed & Partial<Size>>({ state: 'loading' })
let latest = 0

/** Each order as the shop last told it, by its id. */
export const $orderById = readonlyType($known)

/** What `showOrders` has brought. An order that has moved since stays where it stands, so that nothing slips away. */
export const $orders = computed([$listed, $known], (listed, known): Orders => {
  if (listed.state !== 'ready') return listed
  const orders = listed.ids.map(id => known[id]).filter(order => order !== undefined)
  return { state: 'ready', orders, count: listed.count ?? orders.length, pages: listed.pages ?? 1 }
})

/** Asks for a page of orders; what is shown stays until the answer is there. */
export async function showOrders(asked: AskedOrders): Promise<void> {
  const turn = ++latest
  if ($listed.get().state === 'failed') $listed.set({ state: 'loading' })
  try {
    const { orders, count, pages } = await api('GET /admin/orders', { query: asked })
    if (turn !== latest) return
    keep(...orders)
    $listed.set({ state: 'ready', ids: orders.map(({ _id }) => _id), count, pages })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (turn === latest) $listed.set({ state: 'failed', reason: error.message })
  }
}

/** Throws ShopError. */
export async function readAdminOrder(id: string): Promise<AdminOrder> {
  const order = await api('GET /admin/orders/{id}', { params: { id } })
  keep(order)
  return order
}

/** What is to be printed, in the order in which it is wanted. Throws ShopError. */
export async function readOrdersOf(ids: readonly string[]): Promise<AdminOrder[]> {
  const { orders } = await api('GET /admin/orders', { query: { ids: ids.join(',') } })
  return orders.toSorted((a, b) => ids.indexOf(a._id) - ids.indexOf(b._id))
}

/** Moves an order a step on, and offers to take it back. Throws ShopError; then it is known how the order stands. */
export async function moveOrder({ _id, orderNumber, status }: AdminOrder, to: WayStatus): Promise<void> {
  const from = status as WayStatus
  await step(_id, from, to)
  offerUndo({ text: orderMoved(orderNumber, STATUS_WORDS[to]), undo: () => step(_id, to, from) })
}

/** The same for many that stand at the same point. Throws ShopError. */
export async function moveOrders(orders: readonly AdminOrder[], from: WayStatus, to: WayStatus): Promise<void> {
  const ids = orders.map(({ _id }) => _id)
  const moved = await steps(ids, from, to)
  if (moved.length === 0) return
  offerUndo({
    text: ordersMoved(moved.length, STATUS_WORDS[to]),
    undo: async () => void (await steps(moved, to, from))
  })
}

/** Cancels an order for a reason that the shopper is told. Throws ShopError; then it is known how the order stands. */
export async function cancelForShop({ _id, status }: AdminOrder, reason: string, proof: Proof): Promise<void> {
  const from = status === 'packed' ? 'packed' : 'pending'
  const call = api('POST /admin/orders/{id}/cancel', { params: { id: _id }, body: { from, reason, proof } })
  keep(await call.catch(error => lookAgain(_id, error)))
  notify({ title: ADMIN_MESSAGES.orderCancelled })
}

/** Throws ShopError. */
export function exportOrders({ page: _, ...asked }: AskedOrders): Promise<Blob> {
  return apiFile('GET /admin/orders/export', { query: asked })
}

async function step(id: string, from: WayStatus, to: WayStatus): Promise<void> {
  const call = api('POST /admin/orders/{id}/move', { params: { id }, body: { from, to } })
  keep(await call.catch(error => lookAgain(id, error)))
}

async function steps(ids: readonly string[], from: WayStatus, to: WayStatus): Promise<string[]> {
  const { moved, left }: MovedOrders = await api('POST /admin/orders/move', { body: { ids: [...ids], from, to } })
  keep(...moved, ...left)
  if (left.length > 0) notify({ title: ordersLeft(left.length), kind: 'destructive' })
  return moved.map(({ _id }) => _id)
}

async function lookAgain(id: string, error: unknown): Promise<never> {
  if (error instanceof ShopError && error.code === 'CHANGED_MEANWHILE') await readAdminOrder(id)
  throw error
}

function keep(...orders: readonly AdminOrder[]): void {
  $known.set({ ...$known.get(), ...Object.fromEntries(orders.map(order => [order._id, order])) })
}
