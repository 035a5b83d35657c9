import { persistentAtom } from '@nanostores/persistent'
import { computed, readonlyType } from 'nanostores'
import { MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import { cartItemAddedText, cartItemUpdatedText, MESSAGES, onlyLeft } from '../messages.ts'
import { fromRupees, type Paise } from '../money.ts'
import { cartTotal } from '../pricing.ts'
import { decodeCart, newLine, type CartLine, type CartProduct } from './cart-line.ts'
import { $live } from './live.ts'
import { notify } from './toasts.ts'

let reported = false

// The tabs of a browser stay in step because persistentAtom listens to the storage event.
const $lines = persistentAtom<readonly CartLine[]>('cart', [], { encode: JSON.stringify, decode })

export const $cart = readonlyType($lines)
/** The total quantity over all lines, as the badge shows it. */
export const $cartCount = computed($lines, lines => lines.reduce((sum, line) => sum + line.quantity.value, 0))
export const $cartTotal = computed($lines, (lines): Paise =>
  cartTotal(lines.map(line => ({ price: fromRupees(line.price), count: line.quantity.value })))
)

/** How many packs of a product are in the cart. */
export function countOf(lines: readonly CartLine[], productId: string): number {
  return lines.filter(line => line._id === productId).reduce((sum, line) => sum + line.quantity.value, 0)
}

/** Adds packs; a product already there gets more of them. More than the shop has is refused in words. */
export function addToCart(product: CartProduct, count = 1): void {
  const lines = $lines.get()
  const present = lines.find(line => isPlain(line, product._id))
  const wanted = (present?.quantity.value ?? 0) + count
  if (refuse(product._id, wanted)) return
  if (present) {
    setCount(present, wanted)
    notify({ title: MESSAGES.cartItemUpdated, text: cartItemUpdatedText(product.name) })
  } else {
    $lines.set([...lines, newLine(product, count)])
    notify({ title: MESSAGES.cartItemAdded, text: cartItemAddedText(product.name) })
  }
}

/** Sets how many packs a line has; below 1 is ignored, as in the specification. */
export function updateQuantity(productId: string, count: number): void {
  const line = $lines.get().find(candidate => isPlain(candidate, productId))
  if (!line || count < MIN_CART_QUANTITY || (count > line.quantity.value && refuse(productId, count))) return
  setCount(line, count)
  notify({ title: MESSAGES.cartItemUpdated, text: cartItemUpdatedText(line.name) })
}

export function removeFromCart(productId: string): void {
  $lines.set($lines.get().filter(line => !isPlain(line, productId)))
  notify({ title: MESSAGES.cartItemRemoved, text: MESSAGES.cartItemRemovedText })
}

export function clearCart(): void {
  $lines.set([])
  notify({ title: MESSAGES.cartCleared, text: MESSAGES.cartClearedText })
}

function isPlain(line: CartLine, productId: string): boolean {
  return line._id === productId && line.discount === undefined
}

function setCount(line: CartLine, count: number): void {
  const changed = { ...line, quantity: { ...line.quantity, value: count } }
  $lines.set($lines.get().map(candidate => (candidate === line ? changed : candidate)))
}

function refuse(productId: string, wanted: number): boolean {
  const live = $live.get().get(productId)
  const most = Math.min(live?.stock === 'out' ? 0 : (live?.left ?? MAX_CART_QUANTITY), MAX_CART_QUANTITY)
  if (wanted <= most) return false
  const text = onlyLeft(most, countOf($lines.get(), productId))
  notify({ title: MESSAGES.cartLimit, text, kind: 'destructive' })
  return true
}

function decode(stored: string): CartLine[] {
  const { lines, dropped } = decodeCart(stored)
  if (dropped > 0 && !reported) {
    reported = true
    // A store is being read here: writing another one at once would run its listeners inside this read.
    queueMicrotask(() => notify({ title: MESSAGES.cartLinesDropped, text: MESSAGES.cartLinesDroppedText }))
  }
  return lines
}
