import { readonlyType } from 'nanostores'
import {
  createLine,
  decodeCart,
  isSameLine,
  mergeEqualLines,
  withCount,
  type CartLine,
  type CartProduct,
  type LineDiscount,
  type LineId
} from '../cart/line.ts'
import { MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import type { CartEntry } from '../contract/checkout.ts'
import { DISCOUNTED_PACK_LIMIT } from '../contract/formats.ts'
import { t } from '../contract/texts.ts'
import { MESSAGES } from '../messages.ts'
import { applyDiscount, fromRupees, toRupees } from '../money.ts'
import { paths } from '../paths.ts'
import { findMaxQuantity } from '../product.ts'
import { $liveProducts } from './catalog.ts'
import { notify, type Toast } from './toasts.ts'
import { isKept, persistentAtom, writeStored } from './storage.ts'

export const cartItemAddedText = (name: string): string =>
  t('{name} has been added to your cart.', { name })
const cartItemUpdatedText = (name: string) => t('{name} quantity has been updated.', { name })

// Its storage event keeps the tabs in sync.
const $lines = persistentAtom<readonly CartLine[]>('cart', [], decode, encode)

export const $cart = readonlyType($lines)

export function countPacks(lines: readonly CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity.value, 0)
}

export function countPacksOfProduct(lines: readonly CartLine[], ...ids: readonly string[]): number {
  return countPacks(lines.filter(line => ids.includes(line._id)))
}

export function addToCart(product: CartProduct, count = 1): void {
  if (!isCount(count) || rejectOverLimit(product._id, count)) return
  const [title, text] = addPacks(product, count)
    ? [MESSAGES.cartItemUpdated, cartItemUpdatedText(product.name)]
    : [MESSAGES.cartItemAdded, cartItemAddedText(product.name)]
  notifyAdded(title, text, product._id)
}

/** Tells whether the product was in the cart before. */
export function addPacks(product: CartProduct, count: number): boolean {
  const existing = $lines.get().find(line => isSameLine(line, { _id: product._id }))
  putLine(existing, createLine(product, (existing?.quantity.value ?? 0) + count))
  return existing !== undefined
}

export function toCurrent(product: CartProduct): CartProduct {
  return { ...product, price: $liveProducts.get().get(product._id)?.price ?? product.price }
}

/** A pack in the cart gets the discount, if there is one. */
export function addDiscountedProduct(product: CartProduct, drawn: LineDiscount): void {
  const lines = $lines.get()
  const { _id } = product
  const earlier = lines.find(line => isSameLine(line, { _id, ...drawn }))
  if (earlier?.dealId === drawn.dealId) return rejectDiscounted(_id)
  const existing = earlier ?? lines.find(line => isSameLine(line, { _id }))
  if (!existing && rejectOverLimit(_id, 1)) return
  const price = toRupees(applyDiscount(fromRupees(product.price), drawn.discount))
  const discounted = { ...createLine(product, 1), ...drawn, price }
  const others = (existing?.quantity.value ?? 1) - 1
  const changed = others > 0 ? [discounted, createLine(product, others)] : [discounted]
  $lines.set(
    existing ? lines.flatMap(line => (line === existing ? changed : line)) : [...lines, discounted]
  )
  const text = existing
    ? t('The {name} in your cart now has your discount.', { name: product.name })
    : cartItemAddedText(product.name)
  notifyAdded(t('Added to cart!'), text, _id)
}

/** One pack has the discount, unless it is in the cart. */
export function addWithDiscount(product: CartProduct, count: number, drawn: LineDiscount): void {
  if ($lines.get().some(({ dealId }) => dealId === drawn.dealId)) return addToCart(product, count)
  addDiscountedProduct(product, drawn)
  if (count > 1) addToCart(product, count - 1)
}

/** By the specification, a discounted line can only be reduced. */
export function updateQuantity(id: LineId, count: number): void {
  const line = $lines.get().find(candidate => isSameLine(candidate, id))
  if (!line || !isCount(count)) return
  const addedCount = count - line.quantity.value
  if (addedCount > 0 && line.discount !== undefined) return rejectDiscounted(line._id)
  if (addedCount > 0 && rejectOverLimit(line._id, addedCount)) return
  const { lost: _lostDiscount, ...rest } = line
  putLine(line, withCount(rest, count))
  notifyLine(MESSAGES.cartItemUpdated, cartItemUpdatedText(line.name), line._id)
}

export function removeFromCart(id: LineId): void {
  $lines.set($lines.get().filter(line => !isSameLine(line, id)))
  notifyLine(t('Item removed'), t('The item has been removed from your cart.'), id._id)
}

export function restoreToCart(line: CartLine, position: number): void {
  const lines = $lines.get()
  if (lines.some(other => isSameLine(other, line))) return
  $lines.set([...lines.slice(0, position), line, ...lines.slice(position)])
  const { name, _id } = line
  notifyLine(t('Item restored'), t('{name} is back in your cart.', { name }), _id)
}

export function clearCart(): void {
  $lines.set([])
  notify({ title: t('Cart cleared'), text: t('All items have been removed from your cart.') })
}

export function setLines(lines: readonly CartLine[]): void {
  $lines.set(lines)
}

export function addLines(added: readonly CartLine[]): void {
  $lines.set(mergeEqualLines([...$lines.get(), ...added]))
}

export function removeOrderedItems(ordered: readonly CartEntry[]): void {
  const remaining = $lines.get().map(line => {
    const entry = ordered.find(
      ({ product, dealId }) => product === line._id && dealId === line.dealId
    )
    return entry ? withCount(line, line.quantity.value - entry.quantity) : line
  })
  $lines.set(remaining.filter(({ quantity }) => quantity.value > 0))
}

function notifyLine(title: string, text: string, topic: string, link?: Toast['link']) {
  if (isKept('cart')) return notify({ title, text, ...(link && { link }), topic })
  const lostText = `${text} ${t('This change is lost when you leave the page.')}`
  notify({ title: t('Only on this page'), text: lostText, topic })
}

export function notifyAdded(title: string, text: string, productId: string): void {
  const label = t('View cart ({count})', { count: countPacks($lines.get()) })
  notifyLine(title, text, productId, { label, href: paths.cart })
}

function isCount(count: number) {
  return Number.isInteger(count) && count >= MIN_CART_QUANTITY
}

function putLine(existing: CartLine | undefined, line: CartLine) {
  const lines = $lines.get()
  $lines.set(existing ? lines.map(other => (other === existing ? line : other)) : [...lines, line])
}

function rejectDiscounted(productId: string) {
  notify({ title: t(DISCOUNTED_PACK_LIMIT), kind: 'destructive', topic: productId })
}

function rejectOverLimit(productId: string, addedCount: number) {
  const text = findLimitText(productId, addedCount)
  if (text !== undefined)
    notify({ title: t('Can’t add more'), text, kind: 'destructive', topic: productId })
  return text !== undefined
}

export function findLimitText(productId: string, addedCount: number): string | undefined {
  const inCart = countPacksOfProduct($lines.get(), productId)
  const max = findMaxQuantity($liveProducts.get().get(productId))
  if (inCart + addedCount <= max) return undefined
  if (max === 0) return t('Sorry, this product has just sold out.')
  if (max === MAX_CART_QUANTITY)
    return t('You can order up to {max} packs of a product. Please call us for more.', { max })
  return inCart === 0
    ? t('Only {max} left.', { max })
    : t('Only {max} left, {count} in your cart.', { max, count: inCart })
}

function encode(lines: readonly CartLine[]) {
  return lines.length === 0 ? undefined : JSON.stringify(lines)
}

function decode(stored: string): readonly CartLine[] {
  const { lines, droppedCount } = decodeCart(stored)
  if (droppedCount > 0) queueMicrotask(repairStorage)
  return lines
}

// A write during `decode` would call listeners too early.
function repairStorage() {
  $lines.set([...$lines.get()])
  // Otherwise the sync would take the lost lines for removed ones.
  writeStored('cart-agreed', undefined)
  notify({
    title: t('Some items could not be restored'),
    text: t('Please add them to your cart again.'),
    topic: 'cart'
  })
}
