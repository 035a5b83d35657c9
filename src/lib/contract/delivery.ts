import * as z from 'zod/mini'
import { ORDER_LIMITS, PINCODE, SETTING_LIMITS } from '../constants.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { parsePincodes, toDigits } from './formats.ts'
import { Product } from './catalog.ts'
import { DELIVERY_METHODS, ELSEWHERE, STOCK_LEVELS, ZONE_AREAS, ZONE_METHODS } from './names.ts'
import {
  emptyOr,
  listOf,
  optionalText,
  Picture,
  plainText,
  requiredLine,
  Rupees,
  settingAmount,
  translatable,
  wholeNumber
} from './values.ts'
import { text } from './texts.ts'

const whole = (min: number, max: number) =>
  wholeNumber(min, max, text('Please enter a whole number'))

const Pickup = translatable({ pickupText: optionalText(SETTING_LIMITS.text) })
const Zone = translatable({ name: requiredLine(SETTING_LIMITS.name, ADMIN_TEXTS.nameRequired) })

export const DeliverySection = z.extend(Pickup, {
  zones: listOf(
    z.extend(Zone, {
      /** How the pincodes were chosen. Absent in old settings. */
      area: z.optional(z.enum(ZONE_AREAS, text('Please choose where'))),
      /** Such as '620001-620026, 6210, 625'. Empty for the rest of India. */
      pincodes: optionalText(SETTING_LIMITS.zonePincodes).check(
        z.refine(text => parsePincodes(text) !== undefined, {
          error: text('Please enter pincodes such as 620001-620026, 6210, 625')
        })
      ),
      method: z.enum(ZONE_METHODS),
      fee: settingAmount,
      freeAbove: settingAmount,
      transitMin: whole(0, 30),
      transitMax: whole(0, 30),
      active: z.boolean()
    }),
    SETTING_LIMITS.zones
  ),
  /** If empty, other pincodes are served for free. */
  elsewhere: z.enum(ELSEWHERE, ADMIN_TEXTS.elsewhereMissing),
  elsewhereFee: z.nullable(settingAmount),
  elsewhereDays: z.nullable(wholeNumber(1, 30, ADMIN_TEXTS.elsewhereDaysMissing)),
  pickup: z.boolean()
})

export const CalendarSection = z.object({
  leadDays: whole(0, 30),
  /** Orders from this time in India on count for the next day. */
  cutOff: emptyOr(/^([01]\d|2[0-3]):[0-5]\d$/, text('Please enter a time such as 18:00')),
  /** 0 is Sunday. */
  closedWeekdays: z.array(z.int().check(z.minimum(0), z.maximum(6))),
  closedDates: listOf(z.iso.date(ADMIN_TEXTS.dateInvalid), SETTING_LIMITS.closedDates),
  daysAhead: whole(1, 365),
  longDaysAhead: whole(1, 365),
  longCategories: listOf(plainText()),
  eventCategories: listOf(plainText()),
  /** 0 means no limit. */
  ordersPerDay: whole(0, 10_000),
  unitsPerDay: whole(0, 100_000),
  orderNote: z.boolean()
})

export const PublicCalendar = z.omit(CalendarSection, { ordersPerDay: true, unitsPerDay: true })

export const PublicDelivery = z.extend(Pickup, {
  hasFees: z.boolean(),
  leastTransit: z.int(),
  /** Empty if not all pincodes are served. */
  countrywide: z.array(
    z.object({
      method: z.enum(ZONE_METHODS),
      fee: Rupees,
      freeAbove: Rupees,
      transitMax: z.int()
    })
  ),
  area: z.object({ across: z.string(), places: z.array(z.string()) }),
  pickup: z.boolean()
})

export type DeliveryPlace = z.infer<typeof DeliveryPlace>
export const DeliveryPlace = z.object({
  area: z.enum(ZONE_AREAS),
  name: z.string(),
  pincodes: z.string()
})

export const PlacesQuery = z.object({
  pincode: z.string().check(z.overwrite(toDigits), z.regex(PINCODE))
})

export type DeliveryQuery = z.infer<typeof DeliveryQuery>
export const DeliveryQuery = z.object({
  pincode: z.string().check(z.overwrite(toDigits), z.regex(PINCODE)),
  /** Such as 'mysore-pak:2,murukku:1'. Without it, one pack without special rules. */
  items: z.optional(
    plainText().check(
      z.maxLength(ORDER_LIMITS.lines * 100),
      z.regex(/^[^,:]+:[1-9]\d{0,3}(,[^,:]+:[1-9]\d{0,3})*$/)
    )
  ),
  /** What the items cost after discounts and coupon, in rupees. Only chooses the suggestions. */
  goods: z.optional(z.string().check(z.regex(/^\d{1,10}(\.\d{1,2})?$/)))
})

const DAY_STATES = ['open', 'few', 'full', 'closed'] as const
export type DayState = (typeof DAY_STATES)[number]

const DeliveryDay = z.object({ date: z.iso.date(), state: z.enum(DAY_STATES) })

export type DeliveryOffer = z.infer<typeof DeliveryOffer>
export const DeliveryOffer = z.object({
  method: z.enum(DELIVERY_METHODS),
  zone: z.string(),
  fee: Rupees,
  usualFee: Rupees,
  freeAbove: z.nullable(Rupees),
  firstDay: z.nullable(z.iso.date()),
  days: z.array(DeliveryDay),
  problems: z.array(z.object({ product: z.string(), text: z.string() })),
  warnings: z.array(z.object({ product: z.string(), text: z.string() }))
})

const Suggestion = z.extend(
  z.omit(Product, {
    ...({ stock: true, pictures: true, extraImages: true } as const),
    ...({ ingredients: true, shelfLife: true, family: true } as const)
  }),
  { picture: z.optional(Picture), stock: z.enum(STOCK_LEVELS) }
)

export type DeliveryReply = z.infer<typeof DeliveryReply>
export const DeliveryReply = z.object({
  pincode: z.string(),
  /** False if it is not in the table, because it is newer or mistyped. */
  isKnown: z.boolean(),
  /** Empty if any state is possible: a new number, or an army post office. */
  states: z.array(z.string()),
  district: z.string(),
  /** The city of the pincode, or its district. */
  town: z.string(),
  areas: z.array(z.string()),
  delivery: z.nullable(DeliveryOffer),
  /** Why nothing is delivered there, if zones don't say it. */
  stateProblem: z.string(),
  notes: z.array(z.string()),
  minimumOrder: Rupees,
  pickup: z.nullable(DeliveryOffer),
  pickupText: z.string(),
  /** Products with which the delivery becomes free. Only with `goods`. */
  suggestions: z.optional(z.array(Suggestion))
})

export interface DeliveryApi {
  /** Throws PINCODE_UNKNOWN if the first two digits don't exist. */
  'GET /delivery': { query: DeliveryQuery; reply: DeliveryReply }
  /** City, district and state of a pincode, from small to large. */
  'GET /admin/places': { query: { pincode: string }; reply: DeliveryPlace[] }
}
