import { createHash } from 'node:crypto'
import type { CartEntry } from '#lib/contract/cart.ts'
import type { CustomerDetails, PaymentOrderRequest, ShippingAddress } from '#lib/contract/orders.ts'
import { toDeliveryWindow } from '#lib/delivery.ts'
import { ShopError, type FieldErrors } from '#lib/errors.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { fromRupees, type Paise } from '#lib/money.ts'
import { mergeLines } from './quote-cart.ts'

export interface Checkout {
  items: readonly CartEntry[]
  customer: CustomerDetails
  address: ShippingAddress
  deliveryDate: string | null
  amount: Paise
}

type CheckoutInput = Pick<PaymentOrderRequest, 'customerDetails' | 'shippingAddress' | 'deliveryDate'> & {
  items: readonly CartEntry[]
}

/** `amount` is in rupees, `now` in ms. Throws INVALID_INPUT. */
export function readCheckout(
  { items, customerDetails, shippingAddress, deliveryDate = null }: CheckoutInput,
  amount: number,
  now: number
): Checkout {
  const fields: FieldErrors = {}
  if (!customerDetails) fields['customerDetails'] = MESSAGES.nameRequired
  if (!shippingAddress) fields['shippingAddress'] = CHECKOUT_MESSAGES.streetRequired
  const dateError = deliveryDateError(deliveryDate, now)
  if (dateError) fields['deliveryDate'] = dateError
  if (!customerDetails || !shippingAddress || dateError) throw new ShopError('INVALID_INPUT', { fields })
  return {
    items: mergeLines(items),
    customer: customerDetails,
    address: shippingAddress,
    deliveryDate,
    amount: fromRupees(amount)
  }
}

/** Returns a hash of the checkout, to detect a checkoutKey that is reused with different data. */
export function hashCheckout({ items, customer, address, deliveryDate }: Checkout): string {
  const lines = items.map(({ product, quantity, dealId }) => [product, quantity, dealId ?? null])
  const { name, email, phone } = customer
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } = address
  const addressFields = [apartmentOrSuite, street, landmark, city, district, state, pincode, country]
  return createHash('sha256')
    .update(JSON.stringify([lines, name, email, phone, addressFields, deliveryDate]))
    .digest('hex')
    .slice(0, 32)
}

function deliveryDateError(date: string | null, now: number): string | undefined {
  if (date === null) return undefined
  const { earliest, latest } = toDeliveryWindow(now)
  if (date < earliest) return CHECKOUT_MESSAGES.deliveryDateTooEarly
  return date > latest ? CHECKOUT_MESSAGES.deliveryDateInvalid : undefined
}
