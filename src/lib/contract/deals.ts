import * as z from 'zod/mini'
import { CATEGORIES } from '../constants.ts'
import { Instant, Picture, Rupees } from './values.ts'

const DealProduct = z.object({
  _id: z.string(),
  name: z.string(),
  price: Rupees,
  image: z.string(),
  picture: z.optional(Picture),
  description: z.string(),
  category: z.enum(CATEGORIES),
  stock: z.int()
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

export interface DealsApi {
  'GET /discounted-products': { reply: DiscountedProduct[] }
  'GET /flash-deals': { reply: FlashDeal[] }
  'POST /flash-deals/generate/{productId}': { params: { productId: string }; reply: Discount }
  'GET /flash-deals/mine': { reply: Discount[] }
}
