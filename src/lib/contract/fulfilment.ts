import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '../admin/messages.ts'
import { FULFILMENT_STATUSES, isAnyStatusStep, KITCHEN_FILTERS } from '../admin/orders.ts'
import { ORDER_LIMITS, SETTING_LIMITS } from '../constants.ts'
import type { FulfilmentStatus } from '../order.ts'
import { Credential, isWebAddress, optional, optionalText, PathId, requiredText, Rupees } from './values.ts'
import { CustomerDetails, DeliveryDate, ShippingAddress } from './orders.ts'

/** Ids of orders, or of their refunds and disputes. */
const OrderIds = z.array(PathId).check(z.minLength(1), z.maxLength(ORDER_LIMITS.maxBatch))

export type Shipment = z.infer<typeof Shipment>
export const Shipment = z.object({
  courier: requiredText(ORDER_LIMITS.courier, ADMIN_MESSAGES.courierRequired),
  trackingNumber: optionalText(ORDER_LIMITS.courier),
  /** A web address, or empty. */
  trackingLink: optional(isWebAddress, ADMIN_MESSAGES.webAddressInvalid, SETTING_LIMITS.text)
})

const Status = z.enum(FULFILMENT_STATUSES)

const isStepCheck = z.refine<{ from: FulfilmentStatus; to: FulfilmentStatus }>(
  ({ from, to }) => isAnyStatusStep(from, to) || isShipment(from, to),
  { error: ADMIN_MESSAGES.orderStatusOrder, path: ['to'] }
)

/** A shipped order is shipped again to correct its courier or tracking number. */
function isShipment(from: FulfilmentStatus, to: FulfilmentStatus): boolean {
  return to === 'shipped' && (from === 'packed' || from === 'shipped')
}

export type OrderStatusChange = z.infer<typeof OrderStatusChange>
export const OrderStatusChange = z
  .object({
    from: Status,
    to: Status,
    /** Needed for packed → shipped and shipped → shipped. */
    shipment: z.optional(Shipment)
  })
  .check(isStepCheck)
  .check(
    z.refine(({ from, to, shipment }) => !isShipment(from, to) || shipment !== undefined, {
      error: ADMIN_MESSAGES.courierRequired,
      path: ['shipment', 'courier']
    })
  )

export type OrderStatusChanges = z.infer<typeof OrderStatusChanges>
/** Not to ship orders, because each parcel has its own tracking number. */
export const OrderStatusChanges = z
  .object({ ids: OrderIds, from: Status, to: Status })
  .check(isStepCheck)
  .check(z.refine(({ from, to }) => !isShipment(from, to), { error: ADMIN_MESSAGES.courierRequired, path: ['to'] }))

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
  reason: requiredText(ORDER_LIMITS.maxReasonLength, ADMIN_MESSAGES.orderReasonRequired),
  /** Without it, anybody with an administrator's unlocked device could refund orders. */
  proof: Credential
})

export type ReversalAcknowledgement = z.infer<typeof ReversalAcknowledgement>
/** The ids of the reversals that the administrator has seen. */
export const ReversalAcknowledgement = z.object({ reversals: OrderIds })
