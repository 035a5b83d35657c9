import { cleanStores } from 'nanostores'
import { configureApi } from '#lib/api.ts'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import { $cart, clearCart, restoreToCart } from '#lib/stores/cart.ts'
import type { CartLine, CartProduct } from '#lib/cart/line.ts'
import { loadLiveProducts } from '#lib/stores/catalog.ts'
import { $toasts, dismiss } from '#lib/stores/toasts.ts'
import { makeLine } from './cards.ts'

export const PAK: CartProduct = {
  _id: 'mysore-pak',
  name: 'Mysore Pak',
  price: 180,
  image: 'mysore-pak.jpg',
  packSize: { value: 250, unit: 'g', type: 'weight' }
}
export const LADDU: CartProduct = {
  _id: 'boondi-laddu',
  name: 'Boondi Laddu',
  price: 99.5,
  image: 'boondi-laddu.jpg'
}
export const DEAL_LINE = makeLine('mysore-pak', 1, { name: 'Mysore Pak', price: 144, discount: 20 })

export async function setLiveProducts(...products: LiveProduct[]): Promise<void> {
  configureApi({ send: async () => Response.json({ products }) })
  await loadLiveProducts()
}

export function fillCart(...lines: CartLine[]): void {
  lines.forEach((cartLine, position) => restoreToCart(cartLine, position))
  for (const { id } of $toasts.get()) dismiss(id)
}

export function cartQuantities(): [string, number][] {
  return $cart.get().map(({ _id, quantity }) => [_id, quantity.value])
}

export function lastToast(): unknown {
  const toast = $toasts.get().at(-1)
  return toast && { title: toast.title, text: toast.text }
}

export async function setUpCart(): Promise<void> {
  // clearCart removes this item, and happy-dom’s removeItem throws if the item is missing.
  localStorage.setItem('cart', '[]')
  clearCart()
  await setLiveProducts(
    { id: PAK._id, price: PAK.price, stock: 'in' },
    { id: LADDU._id, price: LADDU.price, stock: 'in' }
  )
  for (const { id } of $toasts.get()) dismiss(id)
}

/**
 * Unmounts the cart store at once. nanostores would wait for one second, when the document no
 * longer exists.
 */
export function tearDownCart(): void {
  cleanStores($cart)
}
