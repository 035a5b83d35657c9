import type { Clock } from '#server/clock.ts'

/** A clock faster than real time, shared by all processes with the setting. */
export interface FastClock {
  since: number
  rate: number
}

export const FAST_CLOCK = 'FAST_CLOCK'
export const FAST_CLOCK_MODULE = './tests/faults/rounds/install-fast-clock.ts'

export function fastClock({ since, rate }: FastClock, real: Clock = Date.now): Clock {
  return () => Math.round(since + (real() - since) * rate)
}

/** `minDelay`: timers of at least this many ms are accelerated too. */
export function fastClockSetting({ since, rate }: FastClock, minDelay: number): string {
  return JSON.stringify({ since, rate, minDelay })
}
