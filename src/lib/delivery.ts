import { DELIVERY_DAYS } from './constants.ts'
import { DAY, dayInIndia } from './time.ts'

export interface DeliveryDays {
  /** Both days in India, such as '2026-11-23'. */
  earliest: string
  latest: string
}

/** The days from which a shopper may choose at `now` (ms since the epoch). */
export function deliveryDays(now: number): DeliveryDays {
  return {
    earliest: dayInIndia(now + DELIVERY_DAYS.earliest * DAY),
    latest: dayInIndia(now + DELIVERY_DAYS.latest * DAY)
  }
}
