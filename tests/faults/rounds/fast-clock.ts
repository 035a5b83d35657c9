import type { Clock } from '#lib/time.ts'

/** A clock that is faster than real time. With equal settings, processes show the same time. */
export interface FastClock {
  since: number
  rate: number
}

export function fastClock({ since, rate }: FastClock, realClock: Clock = Date.now): Clock {
  return () => Math.round(since + (realClock() - since) * rate)
}
