import type { Clock } from '#lib/time.ts'

/**
 * Settings of a clock that is faster than real time. Processes with equal settings show the same
 * time.
 */
export interface FastClock {
  since: number
  rate: number
}

export const FAST_CLOCK = 'FAST_CLOCK'
export const FAST_CLOCK_MODULE = 'tests/faults/rounds/install-fast-clock.ts'

export function fastClock({ since, rate }: FastClock, realClock: Clock = Date.now): Clock {
  return () => Math.round(since + (realClock() - since) * rate)
}

/** Timers of at least `minDelay` ms are accelerated too. */
export function fastClockSetting(clock: FastClock, minDelay: number): string {
  return JSON.stringify({ ...clock, minDelay })
}
