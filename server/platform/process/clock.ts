import { randomInt } from 'node:crypto'
import type { EpochMs, IsoTime } from '#lib/time.ts'

/** Returns milliseconds since the epoch. Tests inject their own clock. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

export function isoNow(clock: Clock): IsoTime {
  return toIso(clock())
}

export function toIso(ms: EpochMs): IsoTime {
  return new Date(ms).toISOString()
}

/** From `min` to `limit - 1`. Tests inject their own. */
export type RandomInt = (min: number, limit: number) => number

export const systemRandomInt: RandomInt = (min, limit) => randomInt(min, limit)
