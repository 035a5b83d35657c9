import { HOUR, MINUTE } from '#lib/time.ts'

// The payments of an unpaid order are checked when the order reaches these ages, and then every hour.
const AGES = [2, 5, 10, 15, 30].map(minutes => minutes * MINUTE)

export function firstCheck(now: number): string {
  return new Date(now + (AGES[0] ?? 0)).toISOString()
}

/** `createdAt`, `reservedUntil` and the result are ISO, `now` is in ms. */
export function nextCheck(createdAt: string, now: number, reservedUntil: string): string {
  const created = Date.parse(createdAt)
  const next = AGES.find(age => age > now - created)
  const scheduled = next === undefined ? now + HOUR : created + next
  return new Date(Math.min(scheduled, Math.max(Date.parse(reservedUntil), now + MINUTE))).toISOString()
}
