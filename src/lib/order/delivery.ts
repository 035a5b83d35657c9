import { DELIVERY_DAYS_AHEAD, LOCALE } from '../constants.ts'
import { DAY, toDayInIndia } from '../time.ts'
import { CHECKOUT_MESSAGES } from '../checkout/messages.ts'

export interface DeliveryWindow {
  earliest: string
  latest: string
}

export function toDeliveryWindow(now: number): DeliveryWindow {
  return {
    earliest: toDayInIndia(now + DELIVERY_DAYS_AHEAD.earliest * DAY),
    latest: toDayInIndia(now + DELIVERY_DAYS_AHEAD.latest * DAY)
  }
}

const dayFormat = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`))
}

export function listDeliveryDates(now: number): string[] {
  const { earliest, latest } = toDeliveryWindow(now)
  const first = Date.parse(earliest)
  const count = (Date.parse(latest) - first) / DAY + 1
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY).toISOString().slice(0, 10))
}

/** Also rejects a date that was valid when it was chosen but has become too early since. */
export function validateDeliveryDate(day: string, now: number): string | undefined {
  if (day === '') return undefined
  const { earliest, latest } = toDeliveryWindow(now)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day > latest) return CHECKOUT_MESSAGES.deliveryDateInvalid
  return day < earliest ? CHECKOUT_MESSAGES.deliveryDateTooEarly : undefined
}
