import { persistentAtom } from '@nanostores/persistent'
import { computed, readonlyType } from 'nanostores'
import type { CartEntry } from '../contract/cart.ts'
import { MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import {
  cartItemAddedText,
  cartItemRestoredText,
  cartItemUpdatedText,
  MESSAGES,
  onlyLeft,
  orderLimit
} from '../messages.ts'
import {
  decodeCart,
  discountedLine,
  isSameLine,
  newLine,
  type CartLine,
  type CartProduct,
  type DrawnDiscount,
  type LineId
} from './cart-line.ts'
import { $live } from './live.ts'
import { mostOf } from '../stock.ts'
import { notify } from './toasts.ts'

let reported = false

// The tabs of a browser stay in step because persistentAtom listens to the storage event.
const $lines = persistentAtom<readonly CartLine[]>('cart', [], { encode, decode })

export const $cart = readonlyType($lines)
/** The total quantity over all lines, as the badge shows it. */
export const $cartCount = computed($lines, lines => lines.reduce((sum, line) => sum + line.quantity.value, 0))

/** How many packs of a product are in the cart. */
export function countOf(lines: readonly CartLine[], productId: string): number {
  return lines.filter(line => line._id === productId).reduce((sum, line) => sum + line.quantity.value, 0)
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

/**
 * Adds the one pack for which the shopper has drawn a discount; `product.price` is the catalogue's. A discount of an
 * earlier deal makes way for it.
 */
export function addDiscounted(product: CartProduct, drawn: DrawnDiscount): void {
  const lines = $lines.get()
  const present = lines.find(line => isSameLine(line, { _id: product._id, discount: drawn.discount }))
  if (present?.dealId === drawn.dealId) {
    notify({ title: MESSAGES.cartDiscountLimit, kind: 'destructive', about: product._id })
    return
  }
  if (!present && refuse(product._id, 1)) return
  const line = discountedLine(product, drawn)
  if (present) replace(present, line)
  else $lines.set([...lines, line])
  notify({ title: MESSAGES.dealAdded, text: cartItemAddedText(product.name), about: product._id })
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

/** Adds plain lines without a word, each as far as a line goes. */
export function addLines(more: readonly CartLine[]): void {
  const lines = more.reduce<readonly CartLine[]>((all, line) => {
    const present = all.find(other => isSameLine(other, line))
    if (!present) return [...all, line]
    const value = Math.min(present.quantity.value + line.quantity.value, MAX_CART_QUANTITY)
    return all.map(other => (other === present ? { ...line, quantity: { ...line.quantity, value } } : other))
  }, $lines.get())
  $lines.set(lines)
}

/** Takes out what was ordered; what has joined it meanwhile stays. */
export function takeOut(ordered: readonly CartEntry[]): void {
  const countOf = ({ _id, dealId }: CartLine): number =>
    ordered.find(entry => entry.product === _id && entry.dealId === dealId)?.quantity ?? 0
  const left = $lines.get().map(line => {
    const value = line.quantity.value - countOf(line)
    return value === line.quantity.value ? line : { ...line, quantity: { ...line.quantity, value } }
  })
  $lines.set(left.filter(({ quantity }) => quantity.value > 0))
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

function refuse(productId: string, more: number): boolean {
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
