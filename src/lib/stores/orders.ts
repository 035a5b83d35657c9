import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import { createLine } from '../cart/line.ts'
import { CHECKOUT_MESSAGES, movedToCartText } from '../checkout/messages.ts'
import type { Order } from '../contract/orders.ts'
import { ShopError, type ErrorCode } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { addLines } from './cart.ts'
import { updateLoaded, type LoadState } from './load-state.ts'
import { saveNoticeForNextPage } from './session.ts'
import { notify } from './toasts.ts'

/** Errors whose text says nothing about orders. */
const GENERIC_ERRORS: readonly ErrorCode[] = ['INTERNAL', 'MALFORMED_REQUEST', 'OFFLINE']

const $state = atom<LoadState<readonly Order[]>>({ state: 'loading' })

export const $orders = readonlyType($state)

export async function loadOrders(): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    const orders = await api('GET /orders/my-orders')
    if (!Array.isArray(orders)) throw new ShopError('INTERNAL')
    $state.set({ state: 'ready', value: orders })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    // According to the specification, 404 means that the shopper has no orders.
    if (error.status === 404) return $state.set({ state: 'ready', value: [] })
    if (error.status === 401) return
    showFailure(error)
  }
}

export function readOrder(id: string): Promise<Order> {
  return api('GET /orders/{id}', { params: { id } })
}

export async function cancelOrder(id: string): Promise<void> {
  const cancelled = await api('POST /orders/{id}/cancel', { params: { id } })
  updateLoaded($state, orders => orders.map(order => (order._id === id ? cancelled : order)))
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

function showFailure({ code, message }: ShopError): void {
  const text = GENERIC_ERRORS.includes(code) ? CHECKOUT_MESSAGES.ordersFailed : message
  notify({ title: CHECKOUT_MESSAGES.ordersFailedTitle, text, kind: 'destructive', topic: 'orders' })
  if ($state.get().state !== 'ready') $state.set({ state: 'failed', error: new ShopError(code, { message: text }) })
}
