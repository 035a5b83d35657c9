import * as z from 'zod/mini'
import { ORDER_LIMITS, PINCODE } from '../constants.ts'
import { DELIVERY_METHODS } from '../delivery/zones.ts'
import { plainText, Rupees } from './values.ts'

export type DeliveryQuery = z.infer<typeof DeliveryQuery>
export const DeliveryQuery = z.object({
  pincode: z.string().check(z.regex(PINCODE)),
  /**
   * Cart lines such as 'mysore-pak:2,murukku:1'. Without it, the reply is about one pack without
   * special rules.
   */
  items: z.optional(
    plainText().check(
      z.maxLength(ORDER_LIMITS.lines * 100),
      z.regex(/^[^,:]+:[1-9]\d{0,3}(,[^,:]+:[1-9]\d{0,3})*$/)
    )
  )
})

/** `few`: nearly full. `closed`: the kitchen does not work, or the day's orders have closed. */
const DAY_STATES = ['open', 'few', 'full', 'closed'] as const
export type DayState = (typeof DAY_STATES)[number]

const DeliveryDay = z.object({ date: z.iso.date(), state: z.enum(DAY_STATES) })

export type DeliveryOffer = z.infer<typeof DeliveryOffer>
/** Terms of delivery or of pickup. */
export const DeliveryOffer = z.object({
  method: z.enum(DELIVERY_METHODS),
  /** Empty for pickup and where no zones are set. */
  zone: z.string(),
  /** For these items, after `freeAbove`. */
  fee: Rupees,
  /** The fee without regard to `freeAbove`. */
  usualFee: Rupees,
  /** Null if the fee does not depend on the goods. */
  freeAbove: z.nullable(Rupees),
  /** The first open day, or null if none is open. */
  firstDay: z.nullable(z.iso.date()),
  days: z.array(DeliveryDay),
  /** Items that can't go there, with the reason in words. */
  problems: z.array(z.object({ product: z.string(), text: z.string() })),
  /** Items that arrive with little of their shelf life left, with the reason in words. */
  warnings: z.array(z.object({ product: z.string(), text: z.string() }))
})

export type DeliveryReply = z.infer<typeof DeliveryReply>
export const DeliveryReply = z.object({
  pincode: z.string(),
  /** False if the first three digits exist but the whole pincode is not in the table. */
  isKnown: z.boolean(),
  /** States that the pincode can belong to; some belong to two. */
  states: z.array(z.string()),
  district: z.string(),
  /** Names of the post offices. */
  areas: z.array(z.string()),
  /** Null if the shop does not deliver there. */
  delivery: z.nullable(DeliveryOffer),
  /** Why the shop may not deliver to the state of the pincode. Empty if it may. */
  stateProblem: z.string(),
  /**
   * What else stops or limits an order, in words: closed days, one of two states, products that
   * stay near.
   */
  notes: z.array(z.string()),
  /** The least price of the goods. 0 means that there is no minimum. */
  minimumOrder: Rupees,
  /** Null if the shop offers no pickup. */
  pickup: z.nullable(DeliveryOffer),
  pickupText: z.string()
})

export interface DeliveryApi {
  /** Throws PINCODE_UNKNOWN if the first three digits don't exist. */
  'GET /delivery': { query: DeliveryQuery; reply: DeliveryReply }
}
