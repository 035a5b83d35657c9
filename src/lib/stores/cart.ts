import { persistentAtom } from '@nanostores/persistent'
import { readonlyType } from 'nanostores'
import { MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import {
  cartItemAddedText,
  cartItemRestoredText,
  cartItemUpdatedText,
  MESSAGES,
  onlyLeftText,
  orderLimitText
} from '../messages.ts'
import { decodeCart, isSameLine, createLine, type CartLine, type CartProduct, type LineId } from './cart-line.ts'
import { $liveProducts } from './live-products.ts'
import { findMaxQuantity } from '../stock.ts'
import { notify } from './toasts.ts'

let droppedLinesReported = false

// The storage event of persistentAtom keeps the tabs in sync.
const $lines = persistentAtom<readonly CartLine[]>('cart', [], { encode, decode })

export const $cart = readonlyType($lines)

export function countPacks(lines: readonly CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity.value, 0)
}

export function countPacksOfProduct(lines: readonly CartLine[], productId: string): number {
  return countPacks(lines.filter(line => line._id === productId))
}

export function addToCart(product: CartProduct, count = 1): void {
  if (!isCount(count) || rejectOverLimit(product._id, count)) return
  const lines = $lines.get()
  const existing = lines.find(line => isSameLine(line, { _id: product._id }))
  if (existing) {
    replaceLine(existing, createLine(product, existing.quantity.value + count))
    notify({ title: MESSAGES.cartItemUpdated, text: cartItemUpdatedText(product.name), topic: product._id })
  } else {
    $lines.set([...lines, createLine(product, count)])
    notify({ title: MESSAGES.cartItemAdded, text: cartItemAddedText(product.name), topic: product._id })
  }
}

/** The quantity of a discounted line can only be reduced, as the specification demands. */
export function updateQuantity(id: LineId, count: number): void {
  const line = $lines.get().find(candidate => isSameLine(candidate, id))
  if (!line || !isCount(count)) return
  const addedCount = count - line.quantity.value
  if (addedCount > 0 && line.discount !== undefined) {
    notify({ title: MESSAGES.cartDiscountLimit, kind: 'destructive', topic: line._id })
    return
  }
  if (addedCount > 0 && rejectOverLimit(line._id, addedCount)) return
  const { lost: _lostDiscount, ...rest } = line
  replaceLine(line, { ...rest, quantity: { ...line.quantity, value: count } })
  notify({ title: MESSAGES.cartItemUpdated, text: cartItemUpdatedText(line.name), topic: line._id })
}

export function removeFromCart(id: LineId): void {
  $lines.set($lines.get().filter(line => !isSameLine(line, id)))
  notify({ title: MESSAGES.cartItemRemoved, text: MESSAGES.cartItemRemovedText, topic: id._id })
}

export function restoreToCart(line: CartLine, position: number): void {
  const lines = $lines.get()
  if (lines.some(other => isSameLine(other, line))) return
  $lines.set([...lines.slice(0, position), line, ...lines.slice(position)])
  notify({ title: MESSAGES.cartItemRestored, text: cartItemRestoredText(line.name), topic: line._id })
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

function replaceLine(line: CartLine, changed: CartLine): void {
  $lines.set($lines.get().map(candidate => (candidate === line ? changed : candidate)))
}

export function rejectOverLimit(productId: string, addedCount: number): boolean {
  const inCart = countPacksOfProduct($lines.get(), productId)
  const max = findMaxQuantity($liveProducts.get().get(productId))
  if (inCart + addedCount <= max) return false
  notify({ title: MESSAGES.cartLimit, text: cartLimitText(max, inCart), kind: 'destructive', topic: productId })
  return true
}

function cartLimitText(max: number, inCart: number): string {
  if (max === 0) return MESSAGES.cartSoldOut
  return max === MAX_CART_QUANTITY ? orderLimitText(max) : onlyLeftText(max, inCart)
}

function encode(lines: readonly CartLine[]): string | undefined {
  return lines.length === 0 ? undefined : JSON.stringify(lines)
}

function decode(stored: string): readonly CartLine[] {
  const { lines, droppedCount } = decodeCart(stored)
  if (droppedCount > 0) queueMicrotask(repairStorage)
  return lines
}

// Called after `decode` has returned, because a write during `decode` would call listeners of `$lines` too early.
function repairStorage(): void {
  $lines.set([...$lines.get()])
  if (droppedLinesReported) return
  droppedLinesReported = true
  notify({ title: MESSAGES.cartLinesDropped, text: MESSAGES.cartLinesDroppedText })
}
