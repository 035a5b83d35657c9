import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { Order } from '../contract/orders.ts'
import { CHECKOUT_MESSAGES, movedToCartText } from '../checkout/messages.ts'
import { MESSAGES } from '../messages.ts'
import { ShopError } from '../shop-error.ts'
import { addLines } from './cart-orders.ts'
import { createLine } from './cart-line.ts'
import { saveNoticeForNextPage } from './session-notice.ts'
import { notify } from './toasts.ts'

export type Orders =
  { state: 'loading' } | { state: 'ready'; orders: readonly Order[] } | { state: 'failed'; reason: string }

const $state = atom<Orders>({ state: 'loading' })

export const $orders = readonlyType($state)

export async function loadOrders(): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    const orders = await api('GET /orders/my-orders')
    if (!Array.isArray(orders)) throw new ShopError('INTERNAL')
    $state.set({ state: 'ready', orders })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    // According to the specification, 404 means that the shopper has no orders.
    if (error.status === 404) return $state.set({ state: 'ready', orders: [] })
    if (error.status === 401) return
    showFailure(toFailureText(error))
  }
}

export function readOrder(id: string): Promise<Order> {
  return api('GET /orders/{id}', { params: { id } })
}

export async function cancelOrder(id: string): Promise<void> {
  const cancelled = await api('POST /orders/{id}/cancel', { params: { id } })
  const { state, ...rest } = $state.get()
  if (state === 'ready' && 'orders' in rest)
    $state.set({ state, orders: rest.orders.map(order => (order._id === id ? cancelled : order)) })
  notify({ title: CHECKOUT_MESSAGES.orderCancelled, text: CHECKOUT_MESSAGES.orderCancelledText })
}

export function buyAgain({ items }: Order): void {
  addLines(
    items.map(({ product, listPrice: price, packSize, quantity }) => {
      const { _id, name, image, picture } = product
      const cartProduct = { _id, name, price, image, ...(picture && { picture }), ...(packSize && { packSize }) }
      return createLine(cartProduct, quantity)
    })
  )
  saveNoticeForNextPage({ title: MESSAGES.cartItemAdded, text: movedToCartText(items.length) })
}

function showFailure(reason: string): void {
  notify({ title: CHECKOUT_MESSAGES.ordersFailedTitle, text: reason, kind: 'destructive', topic: 'orders' })
  if ($state.get().state !== 'ready') $state.set({ state: 'failed', reason })
}

function toFailureText({ message }: ShopError): string {
  const generic: readonly string[] = [MESSAGES.internal, MESSAGES.malformed, MESSAGES.offline]
  return generic.includes(message) ? CHECKOUT_MESSAGES.ordersFailed : message
}
