import * as z from 'zod/mini'
import { FULFILMENT_STATUSES, FULFILMENT_STEPS, type FulfilmentStatus } from './names.ts'
import { ORDER_LIMITS, SETTING_LIMITS } from '../constants.ts'
import { emptyOr, isWebAddress, PathId, requiredLine, optionalLine } from './values.ts'
import { ADMIN_FIELD_TEXTS } from './admin-field-texts.ts'

/** Ids of orders, or of their refunds and disputes. */
export const OrderIds = z.array(PathId).check(z.minLength(1), z.maxLength(ORDER_LIMITS.maxBatch))

export type Shipment = z.infer<typeof Shipment>
export const Shipment = z.object({
  courier: requiredLine(ORDER_LIMITS.courier, ADMIN_FIELD_TEXTS.courierRequired),
  trackingNumber: optionalLine(ORDER_LIMITS.courier),
  /** A web address, or empty. */
  trackingLink: emptyOr(isWebAddress, ADMIN_FIELD_TEXTS.webAddressInvalid, SETTING_LIMITS.text)
})

const Status = z.enum(FULFILMENT_STATUSES)

const isStepCheck = z.refine<{ from: FulfilmentStatus; to: FulfilmentStatus }>(
  ({ from, to }) =>
    Object.values(FULFILMENT_STEPS).some(steps => isStatusStep(from, to, steps)) ||
    isShipment(from, to),
  { error: ADMIN_FIELD_TEXTS.orderStatusOrder, path: ['to'] }
)

/** True for one step forward, or one back to correct a mistake. */
export function isStatusStep(
  from: FulfilmentStatus,
  to: FulfilmentStatus,
  steps: readonly FulfilmentStatus[]
): boolean {
  return (
    steps.includes(from) &&
    steps.includes(to) &&
    Math.abs(steps.indexOf(from) - steps.indexOf(to)) === 1
  )
}

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
      error: ADMIN_FIELD_TEXTS.courierRequired,
      path: ['shipment', 'courier']
    })
  )

export type OrderStatusChanges = z.infer<typeof OrderStatusChanges>
/** Not to ship orders, because each parcel has its own tracking number. */
export const OrderStatusChanges = z
  .object({ ids: OrderIds, from: Status, to: Status })
  .check(isStepCheck)
  .check(
    z.refine(({ from, to }) => !isShipment(from, to), {
      error: ADMIN_FIELD_TEXTS.courierRequired,
      path: ['to']
    })
  )
