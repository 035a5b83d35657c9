import type { RandomInt } from '#server/platform/process/clock.ts'

/** The mulberry32 generator. */
export function seededInt(seed: number): RandomInt {
  let state = seed
  return (min, limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    const unit = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    return min + Math.floor(unit * (limit - min))
  }
}
