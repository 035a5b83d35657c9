import { DELIVERY_DAYS, LOCALE } from './constants.ts'
import { DAY, dayInIndia } from './time.ts'

export interface DeliveryDays {
  earliest: string
  latest: string
}

export function deliveryDays(now: number): DeliveryDays {
  return {
    earliest: dayInIndia(now + DELIVERY_DAYS.earliest * DAY),
    latest: dayInIndia(now + DELIVERY_DAYS.latest * DAY)
  }
}

const dayFormat = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`))
}
