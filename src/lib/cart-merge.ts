import type { CartEntry } from './contract/cart.ts'

/** What tells the lines of a sent cart apart. */
export function entryId({ product, dealId = '' }: Pick<CartEntry, 'product' | 'dealId'>): string {
  return `${product} ${dealId}`
}

/** At login: of each line the larger count, since summing would double the cart at each login. */
export function unionOf(mine: readonly CartEntry[], theirs: readonly CartEntry[]): CartEntry[] {
  return merge(mine, theirs, (one, other) => Math.max(one, other))
}

/**
 * What a cart comes to that two devices have changed since they agreed on `base`: who has changed a line decides, and where
 * both have, the larger count does.
 */
export function mergeChanges(
  base: readonly CartEntry[],
  mine: readonly CartEntry[],
  theirs: readonly CartEntry[]
): CartEntry[] {
  const agreed = new Map(base.map(entry => [entryId(entry), entry.quantity]))
  return merge(mine, theirs, (one, other, id) => {
    const before = agreed.get(id) ?? 0
    if (one === before) return other
    return other === before ? one : Math.max(one, other)
  })
}

/** Whether two carts hold the same, in whatever order. */
export function isSameCart(one: readonly CartEntry[], other: readonly CartEntry[]): boolean {
  const counts = new Map(one.map(entry => [entryId(entry), entry.quantity]))
  return one.length === other.length && other.every(entry => counts.get(entryId(entry)) === entry.quantity)
}

function merge(
  mine: readonly CartEntry[],
  theirs: readonly CartEntry[],
  decide: (mine: number, theirs: number, id: string) => number
): CartEntry[] {
  const other = new Map(theirs.map(entry => [entryId(entry), entry.quantity]))
  const own = new Map(mine.map(entry => [entryId(entry), entry.quantity]))
  const all = [...mine, ...theirs.filter(entry => !own.has(entryId(entry)))]
  return all
    .map(entry => {
      const id = entryId(entry)
      return { ...entry, quantity: decide(own.get(id) ?? 0, other.get(id) ?? 0, id) }
    })
    .filter(({ quantity }) => quantity > 0)
}
