import * as z from 'zod/mini'

/** What the shop reads of them. Amounts are in paise, `created_at` in Unix seconds. */

const Notes = z.pipe(
  z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
  // If there are no notes, Razorpay sends an empty array instead of an object.
  z.transform((notes): Record<string, unknown> => (Array.isArray(notes) ? {} : notes))
)

export type ProviderOrder = z.infer<typeof ProviderOrder>
export const ProviderOrder = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  receipt: z.nullish(z.string()),
  status: z.enum(['created', 'attempted', 'paid']),
  notes: z._default(Notes, {}),
  created_at: z.int()
})

export type ProviderPayment = z.infer<typeof ProviderPayment>
export const ProviderPayment = z.object({
  id: z.string(),
  /** Null for payments made with a payment link or payment page. */
  order_id: z.nullish(z.string()),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  method: z.nullish(z.string()),
  created_at: z.int()
})

export type ProviderRefund = z.infer<typeof ProviderRefund>
export const ProviderRefund = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  receipt: z.nullish(z.string()),
  status: z.enum(['pending', 'processed', 'failed'])
})

export type ProviderDispute = z.infer<typeof ProviderDispute>
export const ProviderDispute = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  /** open, under_review, won, lost or closed. */
  status: z.string()
})

export const listOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item) })

export interface ProviderOrderDraft {
  amount: number
  currency: string
  receipt: string
  /** At most 15 entries of 256 characters each. */
  notes: Record<string, string>
}

/** In ms. */
export interface Period {
  from: number
  to: number
  skip?: number
}
