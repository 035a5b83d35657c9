import * as z from 'zod/mini'
import { CART_LIMITS, MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import { MESSAGES } from '../messages.ts'
import { LINE_PROBLEMS } from '../pricing.ts'
import { STOCK_WORDS } from '../stock.ts'
import { Instant, PackSize, PathId, Picture, Rupees } from './values.ts'

export type CartEntry = z.infer<typeof CartEntry>
/** A line as it is sent: what and how many. Prices are the shop's. */
export const CartEntry = z
  .object({
    product: PathId,
    /** How many packs. */
    quantity: z.int().check(z.minimum(MIN_CART_QUANTITY), z.maximum(MAX_CART_QUANTITY)),
    /** The deal whose personal discount the line is to have: one pack. */
    dealId: z.optional(PathId)
  })
  .check(
    z.refine(({ quantity, dealId }) => dealId === undefined || quantity === 1, {
      error: MESSAGES.cartDiscountLimit,
      path: ['quantity']
    })
  )

export const CartEntries = z.array(CartEntry).check(z.maxLength(CART_LIMITS.lines))

export type ServerCart = z.infer<typeof ServerCart>
/** The cart that the shop keeps for a logged-in shopper. */
export const ServerCart = z.object({
  lines: z.array(CartEntry),
  /** Rises with each change; a change that starts from an older one is refused with CART_CHANGED. */
  version: z.int().check(z.nonnegative())
})

export type CartChange = z.infer<typeof CartChange>
export const CartChange = z.object({ lines: CartEntries, version: z.int().check(z.nonnegative()) })

export type QuotedLine = z.infer<typeof QuotedLine>
export const QuotedLine = z.object({
  product: z.string(),
  dealId: z.optional(z.string()),
  name: z.string(),
  image: z.string(),
  picture: z.optional(Picture),
  packSize: z.optional(PackSize),
  quantity: z.int(),
  /** The catalogue's price of one pack. */
  listPrice: Rupees,
  /** What one pack costs this shopper: `listPrice`, less `discount` percent half up to the paisa. */
  price: Rupees,
  discount: z.optional(z.int()),
  total: Rupees,
  stock: z.enum(STOCK_WORDS),
  /** How many packs of the product this order could hold over all lines; 0 when it has none. */
  most: z.int(),
  problem: z.optional(z.enum(LINE_PROBLEMS))
})

export type Quote = z.infer<typeof Quote>
/** What the shop asks for a cart, now and of this shopper. */
export const Quote = z.object({
  lines: z.array(QuotedLine),
  total: Rupees,
  /** Whether all of it could be ordered as it stands. */
  canOrder: z.boolean(),
  serverTime: Instant
})

export type QuoteRequest = z.infer<typeof QuoteRequest>
export const QuoteRequest = z.object({ lines: CartEntries })

export interface CartApi {
  'GET /cart': { reply: ServerCart }
  'PUT /cart': { body: CartChange; reply: ServerCart }
  'DELETE /cart': { reply: ServerCart }
  'POST /cart/quote': { body: QuoteRequest; reply: Quote }
}
