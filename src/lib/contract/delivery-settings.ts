import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '../admin/messages.ts'
import { SETTING_LIMITS } from '../constants.ts'
import { DELIVERY_MESSAGES } from '../delivery/messages.ts'
import { ELSEWHERE, parsePincodes, ZONE_METHODS } from '../delivery/zones.ts'
import {
  emptyOr,
  listOf,
  optionalText,
  plainText,
  requiredLine,
  settingAmount,
  wholeNumber
} from './values.ts'

const whole = (min: number, max: number) => wholeNumber(min, max, DELIVERY_MESSAGES.numberInvalid)

export const DeliverySection = z.object({
  /** The first zone that contains the pincode applies. */
  zones: listOf(
    z.object({
      name: requiredLine(SETTING_LIMITS.name, ADMIN_MESSAGES.nameRequired),
      /**
       * Pincodes, their first digits and ranges, such as '620001-620026, 6210, 625'. Empty for the
       * rest of India.
       */
      pincodes: plainText().check(
        z.trim(),
        z.maxLength(SETTING_LIMITS.zonePincodes),
        z.refine(text => parsePincodes(text) !== undefined, {
          error: DELIVERY_MESSAGES.pincodesInvalid
        })
      ),
      method: z.enum(ZONE_METHODS),
      fee: settingAmount,
      /** In rupees, of the goods after discounts. 0 means that the fee is always due. */
      freeAbove: settingAmount,
      /** Days from dispatch to arrival, at least and at most. */
      transitMin: whole(0, 30),
      transitMax: whole(0, 30),
      active: z.boolean()
    }),
    SETTING_LIMITS.zones
  ),
  /**
   * How pincodes in no zone are served. Must be chosen once there is a zone; if empty, they are
   * served without a fee and without days on the way.
   */
  elsewhere: z.enum(ELSEWHERE, DELIVERY_MESSAGES.elsewhereMissing),
  /** Fee of the courier elsewhere, in rupees. */
  elsewhereFee: z.nullable(settingAmount),
  /** Longest time of the courier elsewhere, in days. */
  elsewhereDays: z.nullable(wholeNumber(1, 30, DELIVERY_MESSAGES.elsewhereDaysMissing)),
  pickup: z.boolean(),
  /** Hours and directions for pickup. */
  pickupText: optionalText(SETTING_LIMITS.text)
})

export const CalendarSection = z.object({
  /** Days from the order to the earliest delivery. */
  leadDays: whole(0, 30),
  /**
   * Time in India, such as '18:00'. Orders from then on count for the next day. Empty means
   * midnight.
   */
  cutOff: emptyOr(value => /^([01]\d|2[0-3]):[0-5]\d$/.test(value), DELIVERY_MESSAGES.timeInvalid),
  /** 0 is Sunday. */
  closedWeekdays: z.array(z.int().check(z.minimum(0), z.maximum(6))),
  closedDates: listOf(z.iso.date(ADMIN_MESSAGES.dateInvalid), SETTING_LIMITS.closedDates),
  /** Latest day that can be ordered, counted from today. */
  daysAhead: whole(1, 365),
  /** `daysAhead` for orders with a product of `longCategories`. */
  longDaysAhead: whole(1, 365),
  longCategories: listOf(plainText()),
  /** Categories whose orders can name the date and time of an event. */
  eventCategories: listOf(plainText()),
  /** 0 means no limit. */
  ordersPerDay: whole(0, 10_000),
  /** Kitchen units of all orders of a day. 0 means no limit. */
  unitsPerDay: whole(0, 100_000),
  orderNote: z.boolean()
})

/** Without the kitchen's capacity. */
export const PublicCalendar = z.omit(CalendarSection, { ordersPerDay: true, unitsPerDay: true })
