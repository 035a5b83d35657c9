import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import { hasTypes } from '../browser.ts'
import { createLine, toCartProduct } from '../cart/line.ts'
import type { Product } from '../contract/catalog.ts'
import type { Order } from '../contract/orders.ts'
import { plural, t } from '../contract/texts.ts'
import { assertShopError, ShopError } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { formatItem } from '../order.ts'
import { addLines } from './cart.ts'
import { $goneProducts, $liveProducts, loadLiveProducts } from './catalog.ts'
import { createLatest, updateLoaded, type LoadState } from './load-state.ts'
import { saveNoticeForNextPage } from './session.ts'
import { notify } from './toasts.ts'

const $state = atom<LoadState<readonly Order[]>>({ state: 'loading' })

export const $orders = readonlyType($state)

const startRequest = createLatest()

export async function loadOrders(): Promise<void> {
  const isLatest = startRequest()
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    const reply = await api('GET /orders/my-orders')
    if (!Array.isArray(reply)) throw new ShopError('INTERNAL')
    const value = await addProducts(reply)
    if (isLatest()) $state.set({ state: 'ready', value })
  } catch (cause) {
    const error = assertShopError(cause)
    if (!isLatest()) return
    // By the specification, 404: no orders.
    if (error.replyStatus === 404) return $state.set({ state: 'ready', value: [] })
    if (error.replyStatus === 401) return
    showFailure(error)
  }
}

export async function cancelOrder(id: string): Promise<void> {
  const cancelled = await api('POST /orders/{id}/cancel', { params: { id } })
  startRequest()
  // The reply's items may lack product names.
  updateLoaded($state, orders =>
    orders.map(order => (order._id === id ? { ...cancelled, items: order.items } : order))
  )
  notify({ title: t('Order cancelled'), text: t('Full refund in 5–8 days.') })
}

export async function buyAgain({ items }: Order): Promise<boolean> {
  await loadLiveProducts(items.map(({ product }) => product._id))
  const isMissing = ({ product: { _id } }: Order['items'][number]) =>
    $goneProducts.get().has(_id) || $liveProducts.get().get(_id)?.stock === 'out'
  const missing = items.filter(isMissing).map(formatItem)
  const available = items.filter(item => !isMissing(item))
  addLines(
    available.map(({ product, listPrice: price, packSize, quantity }) =>
      createLine(toCartProduct({ ...product, price, packSize }), quantity)
    )
  )
  const text =
    missing.length > 0
      ? t('Not available: {items}.', { items: missing.join(', ') })
      : plural(items.length, 'The item is in your cart.', 'All {count} items are in your cart.')
  if (available.length > 0) saveNoticeForNextPage({ title: MESSAGES.cartItemAdded, text })
  else
    notify({
      title: t('Nothing added to cart'),
      text,
      kind: 'destructive',
      topic: 'orders'
    })
  return available.length > 0
}

/** By the specification, an item may contain only the id of its product. */
async function addProducts(orders: readonly Order[]): Promise<readonly Order[]> {
  const isComplete = ({ product }: Order['items'][number]) => hasTypes(product, { name: 'string' })
  if (orders.every(({ items }) => items.every(isComplete))) return orders
  const products: unknown = await api('GET /products').catch(() => undefined)
  const byId = new Map(
    (Array.isArray(products) ? (products as Product[]) : []).map(product => [product.id, product])
  )
  const findProduct = (product: unknown): Order['items'][number]['product'] => {
    const _id = hasTypes(product, { _id: 'string' })
      ? (product as { _id: string })._id
      : String(product)
    const { name = t('Product'), image = '', pictures = [] } = byId.get(_id) ?? {}
    return { _id, name, image, ...(pictures[0] && { picture: pictures[0] }) }
  }
  return orders.map(order => ({
    ...order,
    items: order.items.map(item =>
      isComplete(item) ? item : { ...item, product: findProduct(item.product) }
    )
  }))
}

function showFailure({ code, message, hasReason }: ShopError) {
  const text = hasReason ? message : t('Failed to fetch orders. Please try again later.')
  notify({ title: t('Error Fetching Orders'), text, kind: 'destructive', topic: 'orders' })
  if ($state.get().state !== 'ready')
    $state.set({ state: 'failed', error: new ShopError(code, { message: text }) })
}
