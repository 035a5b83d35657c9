import type { Settings } from './contract/settings.ts'
import { addDays, formatShortDay, toDayInIndia, toStartOfDay, type EpochMs } from './time.ts'

export type ClosedDays = Settings['orders']['closed']

export const NEVER_CLOSED: ClosedDays = { from: '', until: '', message: '' }

export function isClosedOn({ from, until }: ClosedDays, day: string): boolean {
  return from !== '' && from <= day && day <= until
}

export function toOrderTime(closed: ClosedDays, now: EpochMs): EpochMs {
  return isClosedOn(closed, toDayInIndia(now))
    ? Date.parse(toStartOfDay(addDays(closed.until, 1)))
    : now
}

export function reopeningText({ until }: ClosedDays): string {
  return `We take orders again from ${formatShortDay(addDays(until, 1))}.`
}
