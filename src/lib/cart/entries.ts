import type { CartEntry, QuotedLine } from '../contract/checkout.ts'
import { createLine, type CartLine, type LostDiscount } from './line.ts'

// Lines as the server knows them. Not in line.ts, because guests on content pages don't need this.

export function toCartEntries(lines: readonly CartLine[]): CartEntry[] {
  return lines.map(({ _id: product, quantity, dealId }) => ({
    product,
    quantity: quantity.value,
    ...(dealId && { dealId })
  }))
}

export function toCartLine({ product: _id, ...quoted }: QuotedLine): CartLine {
  const { name, image, picture, packSize, quantity, price, discount, dealId } = quoted
  const product = { _id, name, price, image, ...(picture && { picture }), ...(packSize && { packSize }) }
  const drawn = dealId !== undefined && discount !== undefined ? { dealId, discount } : {}
  return { ...createLine(product, quantity), ...drawn, ...findLostDiscount(quoted) }
}

function findLostDiscount({ dealId, problem, discount }: Omit<QuotedLine, 'product'>): { lost?: LostDiscount } {
  if (dealId === undefined || discount !== undefined) return {}
  return { lost: problem === 'discount_used' ? problem : 'discount_ended' }
}

function toEntryId({ product, dealId = '' }: Pick<CartEntry, 'product' | 'dealId'>): string {
  return `${product} ${dealId}`
}

/** Takes the larger of a line's two quantities, because adding them would double the cart at each login. */
export function mergeByMaximum(mine: readonly CartEntry[], theirs: readonly CartEntry[]): CartEntry[] {
  return merge(mine, theirs, (myQuantity, theirQuantity) => Math.max(myQuantity, theirQuantity))
}

export function mergeChanges(
  base: readonly CartEntry[],
  mine: readonly CartEntry[],
  theirs: readonly CartEntry[]
): CartEntry[] {
  const baseQuantities = new Map(base.map(entry => [toEntryId(entry), entry.quantity]))
  return merge(mine, theirs, (myQuantity, theirQuantity, id) => {
    const baseQuantity = baseQuantities.get(id) ?? 0
    if (myQuantity === baseQuantity) return theirQuantity
    return theirQuantity === baseQuantity ? myQuantity : Math.max(myQuantity, theirQuantity)
  })
}

export function isSameCart(one: readonly CartEntry[], other: readonly CartEntry[]): boolean {
  const counts = new Map(one.map(entry => [toEntryId(entry), entry.quantity]))
  return one.length === other.length && other.every(entry => counts.get(toEntryId(entry)) === entry.quantity)
}

function merge(
  mine: readonly CartEntry[],
  theirs: readonly CartEntry[],
  decide: (myQuantity: number, theirQuantity: number, id: string) => number
): CartEntry[] {
  const theirQuantities = new Map(theirs.map(entry => [toEntryId(entry), entry.quantity]))
  const myQuantities = new Map(mine.map(entry => [toEntryId(entry), entry.quantity]))
  const all = [...mine, ...theirs.filter(entry => !myQuantities.has(toEntryId(entry)))]
  return all
    .map(entry => {
      const id = toEntryId(entry)
      return { ...entry, quantity: decide(myQuantities.get(id) ?? 0, theirQuantities.get(id) ?? 0, id) }
    })
    .filter(({ quantity }) => quantity > 0)
}
