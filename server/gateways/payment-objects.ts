import * as z from 'zod/mini'

/** What we read of the provider's objects. Amounts are paise, times are Unix seconds. */

const Notes = z.pipe(
  z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
  // An empty array stands for none.
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
  /** None for what was paid without an order, by a link or a page of the provider's. */
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

export const List = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item) })

export interface OrderDraft {
  amount: number
  currency: string
  receipt: string
  /** At most 15 of 256 characters each. */
  notes: Record<string, string>
}

/** In ms since the epoch; `skip` as many as were read before. */
export interface PaymentWindow {
  from: number
  to: number
  skip?: number
}
