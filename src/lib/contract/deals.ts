import * as z from 'zod/mini'
import { CATEGORIES, DEAL_PERCENT } from '../constants.ts'
import { MESSAGES } from '../messages.ts'
import type { Done } from './accounts.ts'
import { Instant, LONGEST_ID, PackSize, PathId, Picture, Rupees, trimmed } from './values.ts'

const DealProduct = z.object({
  _id: z.string(),
  name: z.string(),
  price: Rupees,
  image: z.string(),
  picture: z.optional(Picture),
  description: z.string(),
  category: z.enum(CATEGORIES),
  stock: z.int(),
  /** The size of one pack. */
  quantity: PackSize
})

export type DiscountedProduct = z.infer<typeof DiscountedProduct>
/** A deal as the home page and the administration read it. */
export const DiscountedProduct = z.object({
  _id: z.string(),
  id: z.string(),
  product: DealProduct,
  name: z.string(),
  image: z.string(),
  originalPrice: Rupees,
  /** The price at the whole of the deal's percentage: what the luckiest draw pays. */
  currentPrice: Rupees,
  discountedPrice: Rupees,
  discountPercentage: z.int(),
  startTime: Instant,
  endTime: Instant
})

export type AdminDeal = z.infer<typeof AdminDeal>
/** A deal as the owner sees it. */
export const AdminDeal = z.extend(DiscountedProduct, {
  /** Rises with each change. */
  version: z.int(),
  /** How many shoppers have drawn their discount. */
  drawn: z.int(),
  /** Whether its product is hidden, and so the deal too. */
  hidden: z.boolean(),
  /** The server's clock, by which deals start and end whatever the phone's says. */
  serverTime: Instant
})

export type FlashDeal = z.infer<typeof FlashDeal>
/** A deal as the Flash Deals page reads it. */
export const FlashDeal = z.object({
  _id: z.string(),
  productId: DealProduct,
  startTime: Instant,
  endTime: Instant,
  discountPercentage: z.int(),
  /** The server's clock, by which deals start and end whatever the phone's says. */
  serverTime: Instant
})

export type Discount = z.infer<typeof Discount>
/** What a shopper has drawn for a deal: one pack at the price less so many percent, until the deal ends. */
export const Discount = z.object({
  dealId: z.string(),
  productId: z.string(),
  /** In percent, from 1 to the deal's. */
  discount: z.int(),
  /** What the pack costs with it. */
  price: Rupees,
  originalPrice: Rupees,
  endTime: Instant,
  /** Whether an order has used it up. */
  used: z.boolean(),
  serverTime: Instant
})

// As text instants are compared by text, so however one was written it is kept in one form.
const moment = z.iso
  .datetime({ offset: true, error: MESSAGES.dealTimeInvalid })
  .check(z.overwrite(inOneForm), z.regex(/^\d{4}-/, MESSAGES.dealTimeInvalid))

function inOneForm(written: string): string {
  const time = Date.parse(written)
  return Number.isNaN(time) ? written : new Date(time).toISOString()
}

const percent = z
  .int(MESSAGES.dealPercentInvalid)
  .check(
    z.minimum(DEAL_PERCENT.least, MESSAGES.dealPercentZero),
    z.maximum(DEAL_PERCENT.most, MESSAGES.dealPercentInvalid)
  )

// What is no time has been said already.
const endsAfterItStarts = z.refine<{ startTime: string; endTime: string }>(
  ({ startTime, endTime }) => !(Date.parse(startTime) >= Date.parse(endTime)),
  { error: MESSAGES.dealEndTooEarly, path: ['endTime'] }
)

const terms = { discountPercentage: percent, startTime: moment, endTime: moment }

export type DealDraft = z.infer<typeof DealDraft>
export const DealDraft = z
  .object({
    productId: trimmed(LONGEST_ID, MESSAGES.dealProductRequired),
    /** As the form shows it; what counts is the catalogue's price. */
    originalPrice: z.optional(z.number()),
    ...terms
  })
  .check(endsAfterItStarts)

export type DealChange = z.infer<typeof DealChange>
/** What a deal is to be from now on. Its product stays: shoppers have drawn discounts for that one. */
export const DealChange = z
  .object({
    ...terms,
    /** From which the change starts; an older one is refused with CHANGED_MEANWHILE. */
    version: z.int()
  })
  .check(endsAfterItStarts)

/** Of the address: text. Without a version the deal is deleted whatever has become of it. */
export const DealRemovalQuery = z.object({ version: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) })

export const DealPath = z.object({ id: PathId })
export const DrawPath = z.object({ productId: PathId })

export interface DealsApi {
  'GET /discounted-products': { reply: DiscountedProduct[] | AdminDeal[] }
  'POST /discounted-products': { body: DealDraft; reply: AdminDeal }
  'PATCH /discounted-products/{id}': { params: { id: string }; body: DealChange; reply: AdminDeal }
  'DELETE /discounted-products/{id}': { params: { id: string }; query: { version?: string }; reply: Done }
  'GET /flash-deals': { reply: FlashDeal[] }
  'POST /flash-deals/generate/{productId}': { params: { productId: string }; reply: Discount }
  'GET /flash-deals/mine': { reply: Discount[] }
}
