import type { CartEntry } from './contract/cart.ts'

export function entryId({ product, dealId = '' }: Pick<CartEntry, 'product' | 'dealId'>): string {
  return `${product} ${dealId}`
}

/** Takes the larger quantity of each line: summing would double the cart at each login. */
export function mergeByMaximum(mine: readonly CartEntry[], theirs: readonly CartEntry[]): CartEntry[] {
  return merge(mine, theirs, (one, other) => Math.max(one, other))
}

/** Three-way merge: a change on one side wins; of changes on both sides, the larger quantity wins. */
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
