import { hasTypes } from '../browser.ts'
import type { CartEntry, QuotedLine } from '../contract/checkout.ts'
import { createLine, toCartProduct, type CartLine } from './line.ts'

// Apart from line.ts, because guests on content pages don't need it.

/** Checks what the browser has stored. */
export function areEntries(value: unknown): value is CartEntry[] {
  const types = { product: 'string', quantity: 'number' }
  return Array.isArray(value) && value.every(entry => hasTypes(entry, types))
}

export function toCartEntries(lines: readonly CartLine[]): CartEntry[] {
  return lines.map(({ _id: product, quantity, dealId }) => ({
    product,
    quantity: quantity.value,
    ...(dealId && { dealId })
  }))
}

export function toCartLine(quoted: QuotedLine): CartLine {
  const { product: _id, quantity, discount, dealId, problem } = quoted
  const line = createLine(toCartProduct({ ...quoted, _id }), quantity)
  if (dealId === undefined) return line
  if (discount !== undefined) return { ...line, dealId, discount }
  return { ...line, lost: problem === 'discount_used' ? problem : 'discount_ended' }
}

const toEntryId = ({ product, dealId = '' }: CartEntry) => `${product} ${dealId}`
const toProduct = ({ product }: CartEntry) => product

/**
 * Without a base, as at a login, each product gets the larger quantity: adding would double the
 * cart. A pack with a drawn discount is one of these packs.
 */
export function mergeChanges(
  base: readonly CartEntry[],
  mine: readonly CartEntry[],
  theirs: readonly CartEntry[]
): CartEntry[] {
  const merge = (toKey: ToKey): ToQuantity => {
    const [before, ours, others] = [base, mine, theirs].map(cart => toQuantities(cart, toKey))
    return entry => {
      const key = toKey(entry)
      return mergeQuantities(before?.get(key), ours?.get(key), others?.get(key))
    }
  }
  const [countLine, countProduct] = [merge(toEntryId), merge(toProduct)]
  const all = [...mine, ...theirs]
  const drawn = uniqueBy(
    toProduct,
    all.filter(entry => entry.dealId && countLine(entry) > 0)
  )
  return uniqueBy(toEntryId, all)
    .filter(entry => !entry.dealId || drawn.includes(entry))
    .map(entry => {
      const isShared = !entry.dealId && drawn.some(({ product }) => product === entry.product)
      const count = entry.dealId ? countLine(entry) : countProduct(entry)
      return { ...entry, quantity: isShared ? count - 1 : count }
    })
    .filter(({ quantity }) => quantity > 0)
}

type ToKey = (entry: CartEntry) => string
type ToQuantity = (entry: CartEntry) => number

function uniqueBy(toKey: ToKey, entries: readonly CartEntry[]): CartEntry[] {
  const keys = entries.map(toKey)
  return entries.filter((_entry, index) => keys.indexOf(keys[index] ?? '') === index)
}

function mergeQuantities(base = 0, mine = 0, theirs = 0) {
  if (mine === base) return theirs
  return theirs === base ? mine : Math.max(mine, theirs)
}

export function isSameCart(one: readonly CartEntry[], other: readonly CartEntry[]): boolean {
  const quantities = toQuantities(one)
  return (
    one.length === other.length &&
    other.every(entry => quantities.get(toEntryId(entry)) === entry.quantity)
  )
}

function toQuantities(
  entries: readonly CartEntry[],
  toKey: ToKey = toEntryId
): ReadonlyMap<string, number> {
  const quantities = new Map<string, number>()
  for (const entry of entries)
    quantities.set(toKey(entry), (quantities.get(toKey(entry)) ?? 0) + entry.quantity)
  return quantities
}
