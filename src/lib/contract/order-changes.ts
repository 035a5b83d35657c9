import * as z from 'zod/mini'
import { KITCHEN_FILTERS } from './names.ts'
import { ORDER_LIMITS } from '../constants.ts'
import { OrderIds } from './fulfilment.ts'
import { type AdminOrder, CustomerDetails, DeliveryDate, ShippingAddress } from './orders.ts'
import { type ById, Credential, requiredText, Rupees } from './values.ts'
import { ADMIN_FIELD_TEXTS } from './admin-field-texts.ts'

/** `quantity`: packs that stay. */
const ChangedLine = z.object({ line: z.int(), quantity: z.int().check(z.nonnegative()) })

export type OrderChangeRequest = z.infer<typeof OrderChangeRequest>
export const OrderChangeRequest = z.object({
  version: z.int(),
  lines: z.optional(z.array(ChangedLine).check(z.maxLength(ORDER_LIMITS.lines))),
  /** In rupees, as the preview showed it. */
  refund: Rupees,
  deliveryDate: z.optional(DeliveryDate),
  /** True if the day may be full or closed. */
  confirmDay: z.optional(z.boolean()),
  phone: z.optional(CustomerDetails.shape.phone),
  shippingAddress: z.optional(ShippingAddress)
})

export type OrderCancellation = z.infer<typeof OrderCancellation>
export const OrderCancellation = z.object({
  from: z.enum(KITCHEN_FILTERS),
  reason: requiredText(ORDER_LIMITS.maxReasonLength, ADMIN_FIELD_TEXTS.orderReasonRequired),
  /** Without it, anybody with an administrator's unlocked device could refund orders. */
  proof: Credential
})

export type ReversalAcknowledgement = z.infer<typeof ReversalAcknowledgement>
/** The ids of the reversals that the administrator has seen. */
export const ReversalAcknowledgement = z.object({ reversals: OrderIds })

export interface OrderChangesApi {
  'POST /admin/orders/{id}/acknowledge': ById<AdminOrder, { body: ReversalAcknowledgement }>
  /** Fails with EDIT_CONFLICT if the order has another version, or the refund would be another. */
  'POST /admin/orders/{id}/change': ById<AdminOrder, { body: OrderChangeRequest }>
  'POST /admin/orders/{id}/cancel': ById<AdminOrder, { body: OrderCancellation }>
}
