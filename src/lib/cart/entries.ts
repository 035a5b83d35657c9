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
  const product = {
    _id,
    name,
    price,
    image,
    ...(picture && { picture }),
    ...(packSize && { packSize })
  }
  const drawn = dealId !== undefined && discount !== undefined ? { dealId, discount } : {}
  return { ...createLine(product, quantity), ...drawn, ...findLostDiscount(quoted) }
}

function findLostDiscount({ dealId, problem, discount }: Omit<QuotedLine, 'product'>): {
  lost?: LostDiscount
} {
  if (dealId === undefined || discount !== undefined) return {}
  return { lost: problem === 'discount_used' ? problem : 'discount_ended' }
}

function toEntryId({ product, dealId = '' }: Pick<CartEntry, 'product' | 'dealId'>): string {
  return `${product} ${dealId}`
}

/**
 * Merges what two devices have changed since `base`. If `base` is empty, as at a login, each line
 * gets the larger of its two quantities, because adding them would double the cart at each login.
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
