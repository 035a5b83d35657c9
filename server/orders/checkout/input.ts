import { t } from '#lib/contract/texts.ts'
import { createHash } from 'node:crypto'
import {
  type CartEntry,
  type OrderRequest,
  type PaymentOrderRequest,
  UnitemisedOrder
} from '#lib/contract/checkout.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'
import type { CustomerDetails, Gift, ShippingAddress } from '#lib/contract/orders.ts'
import type { DeliveryOrder } from '#lib/delivery/terms.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { fromRupees, type Paise } from '#lib/money.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import { findPincodeProblems } from '../../platform/pincodes/pincodes.ts'
import { type DeliveryStates, findStateProblem } from '../../settings/tax.ts'
import { mergeLines } from './cart.ts'

export interface Checkout {
  items: readonly CartEntry[]
  customer: CustomerDetails
  address: ShippingAddress
  deliveryDate: string | null
  pickup: boolean
  note: string
  eventAt: string | null
  gift: Gift | undefined
  coupon: string | undefined
  amount: Paise
}

type CheckoutInput = Omit<PaymentOrderRequest, 'items' | 'amount' | 'checkoutKey'> & {
  items: readonly CartEntry[]
}

/** `amount` is in rupees. */
export function readCheckout(
  { items, customerDetails, shippingAddress, deliveryDate = null, coupon, ...input }: CheckoutInput,
  amount: number,
  states: DeliveryStates
): Checkout {
  const { pickup = false, note = '', eventAt = null, gift } = input
  const fields: FieldErrors = shippingAddress
    ? findPincodeProblems(shippingAddress, 'shippingAddress')
    : {}
  if (!customerDetails) fields['customerDetails'] = FIELD_TEXTS.nameRequired
  if (!shippingAddress) fields['shippingAddress'] = FIELD_TEXTS.streetRequired
  const eventTime = eventAt === null ? undefined : fromIndianDateTime(eventAt)
  // The contract also accepts 30 February.
  if (eventAt !== null && (eventTime === undefined || toIndianDateTime(eventTime) !== eventAt))
    fields['eventAt'] = FIELD_TEXTS.eventTimeInvalid
  // A pickup is a supply within the seller's state.
  const stateProblem = shippingAddress && !pickup && findStateProblem(states, shippingAddress.state)
  if (stateProblem) fields['shippingAddress.state'] = stateProblem
  if (!customerDetails || !shippingAddress || Object.keys(fields).length > 0)
    throw new ShopError('INVALID_INPUT', { fields })
  return {
    items: mergeLines(items),
    customer: customerDetails,
    address: shippingAddress,
    deliveryDate,
    pickup,
    note,
    eventAt,
    gift,
    coupon,
    amount: fromRupees(amount)
  }
}

/** To detect a checkoutKey that is reused with different data. */
export function hashCheckout({ amount: _, ...checkout }: Checkout): string {
  return createHash('sha256').update(JSON.stringify(checkout)).digest('hex').slice(0, 32)
}

export function toDestination({
  pickup,
  address
}: Pick<Checkout, 'pickup' | 'address'>): DeliveryOrder['to'] {
  return pickup ? 'pickup' : { pincode: address.pincode }
}

export function readPaidOrder(request: OrderRequest): UnitemisedOrder {
  // A form sends an empty text if the shopper has chosen nothing.
  const { deliveryDate, eventAt } = request
  const result = UnitemisedOrder.safeParse({
    ...request,
    deliveryDate: deliveryDate === '' ? null : deliveryDate,
    eventAt: eventAt === '' ? undefined : eventAt
  })
  if (result.success) return result.data
  const fields: FieldErrors = {}
  for (const { path, message } of result.error.issues) {
    fields[path.join('.')] ??= message.startsWith('Invalid input')
      ? MESSAGES.invalidField
      : t(message)
  }
  throw new ShopError('INVALID_INPUT', { fields })
}

/** `amount` is in rupees. */
export function readPaidCheckout(
  input: CheckoutInput,
  amount: number,
  states: DeliveryStates
): Checkout {
  // A shopper can't correct that the shop does not deliver to their state.
  const checkout = readCheckout(input, amount, { ...states, servedState: '' })
  const problem = checkout.pickup ? undefined : findStateProblem(states, checkout.address.state)
  if (problem !== undefined) throw new ShopError('NOT_DELIVERED', { message: problem })
  return checkout
}
