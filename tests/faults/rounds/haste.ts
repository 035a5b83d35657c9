import type { Clock } from '#server/clock.ts'

/** Time that runs faster than the world's, the same in every process that is told of it. */
export interface Haste {
  /** When it began, in ms since the epoch. */
  since: number
  /** How many minutes go by in one. */
  rate: number
}

/** The name of the setting that tells a process of it. */
export const HASTE = 'HASTE'
/** What such a process loads first. */
export const HASTEN = './tests/faults/rounds/hasten.ts'

export function hastened({ since, rate }: Haste, real: Clock = Date.now): Clock {
  return () => Math.round(since + (real() - since) * rate)
}

/** As a setting; timers from `least` ms on are shortened too. */
export function hasteSetting({ since, rate }: Haste, least: number): string {
  return JSON.stringify({ since, rate, least })
}
