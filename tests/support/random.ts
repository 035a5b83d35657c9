import type { RandomInt } from '#server/platform/process/secret.ts'

/** Returns numbers from 0 to just below 1, like Math.random. The mulberry32 generator. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function seededInt(seed: number): RandomInt {
  const random = seededRandom(seed)
  return (min, limit) => min + Math.floor(random() * (limit - min))
}

export function pick<Item>(items: readonly Item[], random: RandomInt): Item {
  return items[random(0, items.length)] as Item
}
