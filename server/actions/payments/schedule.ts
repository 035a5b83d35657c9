import { DAY, HOUR, MINUTE } from '#lib/time.ts'

// After these ages the provider is asked about a payment that nobody has told us of, then hourly.
const AGES = [2, 5, 10, 15, 30].map(minutes => minutes * MINUTE)
const LAST = 6 * DAY

/** When the provider is first asked (ISO) about what was opened at `now` (ms). */
export function firstCheck(now: number): string {
  return new Date(now + (AGES[0] ?? 0)).toISOString()
}

/** When it is asked next about what was opened at an instant (ISO); never any more once that is six days ago. */
export function nextCheck(openedAt: string, now: number): string | null {
  const opened = Date.parse(openedAt)
  const age = now - opened
  if (age >= LAST) return null
  const next = AGES.find(each => each > age)
  return new Date(next === undefined ? now + HOUR : opened + next).toISOString()
}
