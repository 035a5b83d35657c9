import { deliveryDays } from '../delivery.ts'
import { CHECKOUT_MESSAGES } from './messages.ts'
import { DAY } from '../time.ts'

/** The selectable dates at `now` (ms since the epoch), as calendar days in India. */
export function deliveryDates(now: number): string[] {
  const { earliest, latest } = deliveryDays(now)
  const first = Date.parse(earliest)
  const count = (Date.parse(latest) - first) / DAY + 1
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY).toISOString().slice(0, 10))
}

/** A chosen date can become too early when the page stays open past midnight. */
export function deliveryDateProblem(day: string, now: number): string | undefined {
  if (day === '') return undefined
  const { earliest, latest } = deliveryDays(now)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day > latest) return CHECKOUT_MESSAGES.deliveryDateInvalid
  return day < earliest ? CHECKOUT_MESSAGES.deliveryDateTooEarly : undefined
}
