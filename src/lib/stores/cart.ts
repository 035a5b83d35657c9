import { persistentAtom } from '@nanostores/persistent'
import { readonlyType } from 'nanostores'
import { MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import {
  cartItemAddedText,
  cartItemRestoredText,
  cartItemUpdatedText,
  MESSAGES,
  onlyLeft,
  orderLimit
} from '../messages.ts'
import { decodeCart, isSameLine, newLine, type CartLine, type CartProduct, type LineId } from './cart-line.ts'
import { $liveProducts } from './live-products.ts'
import { maxQuantity } from '../stock.ts'
import { notify } from './toasts.ts'

let dropReported = false

// persistentAtom listens to the storage event, which keeps tabs in sync.
const $lines = persistentAtom<readonly CartLine[]>('cart', [], { encode, decode })

export const $cart = readonlyType($lines)

export function countAll(lines: readonly CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity.value, 0)
}

export function countOf(lines: readonly CartLine[], productId: string): number {
  return countAll(lines.filter(line => line._id === productId))
}

export function addToCart(product: CartProduct, count = 1): void {
  if (!isCount(count) || rejectOverLimit(product._id, count)) return
  const lines = $lines.get()
  const present = lines.find(line => isSameLine(line, { _id: product._id }))
  if (present) {
    replace(present, newLine(product, present.quantity.value + count))
    notify({ title: MESSAGES.cartItemUpdated, text: cartItemUpdatedText(product.name), about: product._id })
  } else {
    $lines.set([...lines, newLine(product, count)])
    notify({ title: MESSAGES.cartItemAdded, text: cartItemAddedText(product.name), about: product._id })
  }
}

/** Ignores a count below 1; a discounted line can't grow (specification). */
export function updateQuantity(id: LineId, count: number): void {
  const line = $lines.get().find(candidate => isSameLine(candidate, id))
  if (!line || !isCount(count)) return
  const more = count - line.quantity.value
  if (more > 0 && line.discount !== undefined) {
    notify({ title: MESSAGES.cartDiscountLimit, kind: 'destructive', about: line._id })
    return
  }
  if (more > 0 && rejectOverLimit(line._id, more)) return
  const { lost: _, ...rest } = line
  replace(line, { ...rest, quantity: { ...line.quantity, value: count } })
  notify({ title: MESSAGES.cartItemUpdated, text: cartItemUpdatedText(line.name), about: line._id })
}

export function removeFromCart(id: LineId): void {
  $lines.set($lines.get().filter(line => !isSameLine(line, id)))
  notify({ title: MESSAGES.cartItemRemoved, text: MESSAGES.cartItemRemovedText, about: id._id })
}

export function restoreToCart(line: CartLine, position: number): void {
  const lines = $lines.get()
  if (lines.some(other => isSameLine(other, line))) return
  $lines.set([...lines.slice(0, position), line, ...lines.slice(position)])
  notify({ title: MESSAGES.cartItemRestored, text: cartItemRestoredText(line.name), about: line._id })
}

export function clearCart(): void {
  $lines.set([])
  notify({ title: MESSAGES.cartCleared, text: MESSAGES.cartClearedText })
}

export function setLines(lines: readonly CartLine[]): void {
  $lines.set(lines)
}

export function clearCartSilently(): void {
  $lines.set([])
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= MIN_CART_QUANTITY
}

function replace(line: CartLine, changed: CartLine): void {
  $lines.set($lines.get().map(candidate => (candidate === line ? changed : candidate)))
}

/** Returns true and shows a notice if `more` packs exceed the limit. */
export function rejectOverLimit(productId: string, more: number): boolean {
  const present = countOf($lines.get(), productId)
  const max = maxQuantity($liveProducts.get().get(productId))
  if (present + more <= max) return false
  notify({ title: MESSAGES.cartLimit, text: limitText(max, present), kind: 'destructive', about: productId })
  return true
}

function limitText(max: number, present: number): string {
  if (max === 0) return MESSAGES.cartSoldOut
  return max === MAX_CART_QUANTITY ? orderLimit(max) : onlyLeft(max, present)
}

function encode(lines: readonly CartLine[]): string | undefined {
  return lines.length === 0 ? undefined : JSON.stringify(lines)
}

function decode(stored: string): readonly CartLine[] {
  const { lines, dropped } = decodeCart(stored)
  if (dropped > 0) queueMicrotask(repairStorage)
  return lines
}

// Runs after the read: writing during it would notify listeners before the value is set.
function repairStorage(): void {
  $lines.set([...$lines.get()])
  if (dropReported) return
  dropReported = true
  notify({ title: MESSAGES.cartLinesDropped, text: MESSAGES.cartLinesDroppedText })
}
