import { DELIVERY_DAYS_AHEAD, LOCALE } from './constants.ts'
import { DAY, toDayInIndia } from './time.ts'

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
