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
import { $live } from './live.ts'
import { mostOf } from '../stock.ts'
import { notify } from './toasts.ts'

let reported = false

// The tabs of a browser stay in step because persistentAtom listens to the storage event.
const $lines = persistentAtom<readonly CartLine[]>('cart', [], { encode, decode })

export const $cart = readonlyType($lines)

/** The total quantity over all lines, as the badge shows it. */
export function countAll(lines: readonly CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity.value, 0)
}

/** How many packs of a product are in the cart. */
export function countOf(lines: readonly CartLine[], productId: string): number {
  return countAll(lines.filter(line => line._id === productId))
}

/** Adds packs; a product already there gets more of them. More than the shop has is refused in words. */
export function addToCart(product: CartProduct, count = 1): void {
  if (!isCount(count) || refuse(product._id, count)) return
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

/** Sets how many packs a line has; below 1 is ignored, and a discounted line never grows, as in the specification. */
export function updateQuantity(id: LineId, count: number): void {
  const line = $lines.get().find(candidate => isSameLine(candidate, id))
  if (!line || !isCount(count)) return
  const more = count - line.quantity.value
  if (more > 0 && line.discount !== undefined) {
    notify({ title: MESSAGES.cartDiscountLimit, kind: 'destructive', about: line._id })
    return
  }
  if (more > 0 && refuse(line._id, more)) return
  const { lost: _read, ...kept } = line
  replace(line, { ...kept, quantity: { ...line.quantity, value: count } })
  notify({ title: MESSAGES.cartItemUpdated, text: cartItemUpdatedText(line.name), about: line._id })
}

export function removeFromCart(id: LineId): void {
  $lines.set($lines.get().filter(line => !isSameLine(line, id)))
  notify({ title: MESSAGES.cartItemRemoved, text: MESSAGES.cartItemRemovedText, about: id._id })
}

/** Takes a removal back: the line stands where it stood, unless the product has been added anew since. */
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

/** Takes lines over as the shop has them. */
export function setLines(lines: readonly CartLine[]): void {
  $lines.set(lines)
}

/** As `clearCart`, without a word: for who logs out. */
export function forgetCart(): void {
  $lines.set([])
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= MIN_CART_QUANTITY
}

function replace(line: CartLine, changed: CartLine): void {
  $lines.set($lines.get().map(candidate => (candidate === line ? changed : candidate)))
}

/** Says why more packs of a product can't be had, if they can't. */
export function refuse(productId: string, more: number): boolean {
  const present = countOf($lines.get(), productId)
  const most = mostOf($live.get().get(productId))
  if (present + more <= most) return false
  notify({ title: MESSAGES.cartLimit, text: limit(most, present), kind: 'destructive', about: productId })
  return true
}

function limit(most: number, present: number): string {
  if (most === 0) return MESSAGES.cartSoldOut
  return most === MAX_CART_QUANTITY ? orderLimit(most) : onlyLeft(most, present)
}

// An empty cart leaves nothing in storage.
function encode(lines: readonly CartLine[]): string | undefined {
  return lines.length === 0 ? undefined : JSON.stringify(lines)
}

function decode(stored: string): readonly CartLine[] {
  const { lines, dropped } = decodeCart(stored)
  if (dropped > 0) queueMicrotask(mend)
  return lines
}

// Later than the read that found the damage: writing inside it would run listeners before the value is there.
function mend(): void {
  $lines.set([...$lines.get()])
  if (reported) return
  reported = true
  notify({ title: MESSAGES.cartLinesDropped, text: MESSAGES.cartLinesDroppedText })
}
