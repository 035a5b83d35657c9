import type { Settings } from './contract/settings.ts'
import { formatShortDay } from './time.ts'

/** Days in India, inclusive, on which nobody can order. Both are empty while the shop takes orders. */
export type ClosedDays = Settings['orders']['closed']

export const NEVER_CLOSED: ClosedDays = { from: '', until: '', message: '' }

export function isClosedOn({ from, until }: ClosedDays, day: string): boolean {
  return from !== '' && from <= day && day <= until
}

export function reopeningText({ until }: ClosedDays): string {
  const reopening = new Date(Date.parse(until))
  reopening.setUTCDate(reopening.getUTCDate() + 1)
  return `We take orders again from ${formatShortDay(reopening.toISOString().slice(0, 10))}.`
}
