import { HOUR, MINUTE } from '#lib/time.ts'

// Ages at which a payment is checked if no webhook came; after the last one, hourly.
const AGES = [2, 5, 10, 15, 30].map(minutes => minutes * MINUTE)

/** Takes ms, returns ISO. */
export function firstCheck(now: number): string {
  return new Date(now + (AGES[0] ?? 0)).toISOString()
}

/** Takes ISO and ms, returns ISO; never later than the end of the reservation. */
export function nextCheck(createdAt: string, now: number, reservedUntil: string): string {
  const created = Date.parse(createdAt)
  const next = AGES.find(each => each > now - created)
  const scheduled = next === undefined ? now + HOUR : created + next
  return new Date(Math.min(scheduled, Math.max(Date.parse(reservedUntil), now + MINUTE))).toISOString()
}
