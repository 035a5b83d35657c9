import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { Order } from '../contract/orders.ts'
import { CHECKOUT_MESSAGES, movedToCart } from '../checkout/messages.ts'
import { MESSAGES } from '../messages.ts'
import { ShopError } from '../shop-error.ts'
import { addLines } from './cart-ordered.ts'
import { newLine } from './cart-line.ts'
import { carry } from './session-notice.ts'
import { notify } from './toasts.ts'

export type Orders =
  { state: 'loading' } | { state: 'ready'; orders: readonly Order[] } | { state: 'failed'; reason: string }

const $state = atom<Orders>({ state: 'loading' })

/** The orders of who is logged in, the newest first. */
export const $orders = readonlyType($state)

/** Asks for them; those that are shown stay until the answer is there. */
export async function loadOrders(): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    const orders = await api('GET /orders/my-orders')
    if (!Array.isArray(orders)) throw new ShopError('INTERNAL')
    $state.set({ state: 'ready', orders })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    // An older server says so when there are none.
    if (error.status === 404) return $state.set({ state: 'ready', orders: [] })
    if (error.status === 401) return
    fail(reasonOf(error))
  }
}

/** One order. Throws ShopError. */
export function readOrder(id: string): Promise<Order> {
  return api('GET /orders/{id}', { params: { id } })
}

/** Throws ShopError. */
export async function cancelOrder(id: string): Promise<void> {
  const cancelled = await api('POST /orders/{id}/cancel', { params: { id } })
  const { state, ...rest } = $state.get()
  if (state === 'ready' && 'orders' in rest)
    $state.set({ state, orders: rest.orders.map(order => (order._id === id ? cancelled : order)) })
  notify({ title: CHECKOUT_MESSAGES.orderCancelled, text: CHECKOUT_MESSAGES.orderCancelledText })
}

/** Puts an order's products into the cart, at the prices of the catalogue; the cart page says what has changed since. */
export function buyAgain({ items }: Order): void {
  addLines(
    items.map(({ product, listPrice: price, packSize, quantity }) => {
      const { _id, name, image, picture } = product
      const about = { _id, name, price, image, ...(picture && { picture }), ...(packSize && { packSize }) }
      return newLine(about, quantity)
    })
  )
  carry({ title: MESSAGES.cartItemAdded, text: movedToCart(items.length) })
}

function fail(reason: string): void {
  notify({ title: CHECKOUT_MESSAGES.ordersFailedTitle, text: reason, kind: 'destructive', about: 'orders' })
  if ($state.get().state !== 'ready') $state.set({ state: 'failed', reason })
}

/** The shop's own words, where it has any. */
function reasonOf({ message }: ShopError): string {
  const ours: readonly string[] = [MESSAGES.internal, MESSAGES.malformed, MESSAGES.offline]
  return ours.includes(message) ? CHECKOUT_MESSAGES.ordersFailed : message
}
