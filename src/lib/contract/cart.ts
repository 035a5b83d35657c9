import * as z from 'zod/mini'
import { CART_LIMITS, MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import { MESSAGES } from '../messages.ts'
import { LINE_PROBLEMS } from '../pricing.ts'
import { STOCK_LEVELS } from '../stock.ts'
import { Instant, PackSize, PathId, Picture, Rupees } from './values.ts'

export type CartEntry = z.infer<typeof CartEntry>
export const CartEntry = z
  .object({
    product: PathId,
    quantity: z.int().check(z.minimum(MIN_CART_QUANTITY), z.maximum(MAX_CART_QUANTITY)),
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
export const ServerCart = z.object({
  lines: z.array(CartEntry),
  /**
   * Increases with each change. Changing the cart fails with CART_CHANGED if the sent version is not the current one.
   */
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
  listPrice: Rupees,
  price: Rupees,
  discount: z.optional(z.int()),
  total: Rupees,
  stock: z.enum(STOCK_LEVELS),
  most: z.int(),
  problem: z.optional(z.enum(LINE_PROBLEMS))
})

export type Quote = z.infer<typeof Quote>
export const Quote = z.object({
  lines: z.array(QuotedLine),
  total: Rupees,
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
