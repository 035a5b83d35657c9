import type { CartEntry, QuotedLine } from '../contract/checkout.ts'
import { createLine, toCartProduct, type CartLine } from './line.ts'

// Apart from line.ts, because guests on content pages don't need it.

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

function toEntryId({ product, dealId = '' }: Pick<CartEntry, 'product' | 'dealId'>): string {
  return `${product} ${dealId}`
}

/**
 * Without a base, as at a login, each line gets the larger quantity: adding would double the cart.
 */
export function mergeChanges(
  base: readonly CartEntry[],
  mine: readonly CartEntry[],
  theirs: readonly CartEntry[]
): CartEntry[] {
  const baseQuantities = toQuantities(base)
  const myQuantities = toQuantities(mine)
  const theirQuantities = toQuantities(theirs)
  return [...mine, ...theirs.filter(entry => !myQuantities.has(toEntryId(entry)))]
    .map(entry => {
      const id = toEntryId(entry)
      const quantity = mergeQuantities(
        baseQuantities.get(id),
        myQuantities.get(id),
        theirQuantities.get(id)
      )
      return { ...entry, quantity }
    })
    .filter(({ quantity }) => quantity > 0)
}

function mergeQuantities(base = 0, mine = 0, theirs = 0): number {
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

function toQuantities(entries: readonly CartEntry[]): ReadonlyMap<string, number> {
  return new Map(entries.map(entry => [toEntryId(entry), entry.quantity]))
}
