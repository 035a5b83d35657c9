import { deliveryDays } from '../delivery.ts'
import { CHECKOUT_MESSAGES } from './messages.ts'
import { DAY } from '../time.ts'

/** Every day from which a shopper may choose at `now` (ms since the epoch), as calendar days in India. */
export function deliveryDates(now: number): string[] {
  const { earliest, latest } = deliveryDays(now)
  const first = Date.parse(earliest)
  const count = (Date.parse(latest) - first) / DAY + 1
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY).toISOString().slice(0, 10))
}

/** What is wrong with a chosen day: a page that stood open over midnight offers days that have become too early. */
export function deliveryDateProblem(day: string, now: number): string | undefined {
  if (day === '') return undefined
  const { earliest, latest } = deliveryDays(now)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day > latest) return CHECKOUT_MESSAGES.deliveryDateInvalid
  return day < earliest ? CHECKOUT_MESSAGES.deliveryDateTooEarly : undefined
}
