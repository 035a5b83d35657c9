import { HOUR, MINUTE } from '#lib/time.ts'

// After these ages the provider is asked about a payment that nobody has told us of, then hourly.
const AGES = [2, 5, 10, 15, 30].map(minutes => minutes * MINUTE)

/** When the provider is first asked (ISO) about what was opened at `now` (ms). */
export function firstCheck(now: number): string {
  return new Date(now + (AGES[0] ?? 0)).toISOString()
}

/** When it is asked next (ISO) about what was opened at an instant and is kept until another (ISO): at the latest then. */
export function nextCheck(openedAt: string, now: number, keptUntil: string): string {
  const opened = Date.parse(openedAt)
  const next = AGES.find(each => each > now - opened)
  const scheduled = next === undefined ? now + HOUR : opened + next
  return new Date(Math.min(scheduled, Math.max(Date.parse(keptUntil), now + MINUTE))).toISOString()
}
