import { createHash } from 'node:crypto'
import { normalizeCouponCode } from '#lib/contract/formats.ts'
import {
  UnitemisedOrder,
  type CartEntry,
  type OrderRequest,
  type PaymentOrderRequest
} from '#lib/contract/checkout.ts'
import type { CustomerDetails, ShippingAddress } from '#lib/contract/orders.ts'
import type { DeliveryOrder } from '#lib/delivery/terms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { ShopError, type FieldErrors } from '#lib/errors.ts'
import { fromRupees, type Paise } from '#lib/money.ts'
import { fromIndianDateTime, toIndianDateTime, toDayInIndia } from '#lib/time.ts'
import { findPincodeProblems } from '../../platform/pincodes/pincodes.ts'
import {
  findStateProblem,
  type DeliveryStates,
  SELLER_SECTIONS,
  toDeliveryStates
} from '../../settings/tax.ts'
import { mergeLines } from './cart.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'
import type { FastifyInstance } from 'fastify'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { findMissingText } from '#lib/checkout/order-rules.ts'
import { isClosedOn, reopeningText } from '#lib/delivery/calendar.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { DELIVERY_SECTIONS, toDeliveryRules, type StoredRules } from '../../delivery/rules.ts'
import { isLiveAt, readIdentity } from '../../live-shop/live-shop.ts'
import { usesTestMode } from '../../razorpay/config.ts'
import { findMissingLegal, readCurrentSections, toValues } from '../../settings/settings.ts'

export interface Checkout {
  items: readonly CartEntry[]
  customer: CustomerDetails
  address: ShippingAddress
  deliveryDate: string | null
  pickup: boolean
  note: string
  eventAt: string | null
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
  const { pickup = false, note = '', eventAt = null } = input
  const fields: FieldErrors = shippingAddress
    ? findPincodeProblems(shippingAddress, 'shippingAddress')
    : {}
  if (!customerDetails) fields['customerDetails'] = FIELD_TEXTS.nameRequired
  if (!shippingAddress) fields['shippingAddress'] = FIELD_TEXTS.streetRequired
  if (eventAt !== null && !isEventTime(eventAt)) fields['eventAt'] = FIELD_TEXTS.eventTimeInvalid
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
    coupon: coupon === undefined ? undefined : normalizeCouponCode(coupon),
    amount: fromRupees(amount)
  }
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
    fields[path.join('.')] ??= message.startsWith('Invalid input') ? MESSAGES.invalidField : message
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

/** To detect a checkoutKey that is reused with different data. */
export function hashCheckout({
  items,
  customer,
  address,
  deliveryDate,
  coupon,
  ...checkout
}: Checkout): string {
  const { pickup, note, eventAt } = checkout
  // The hash of a checkout without extras must stay as it was before the shop had extras.
  const hasExtras = pickup || note !== '' || eventAt !== null
  const lines = items.map(({ product, quantity, dealId }) => [product, quantity, dealId ?? null])
  const { name, email, phone } = customer
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } = address
  const addressFields = [
    apartmentOrSuite,
    street,
    landmark,
    city,
    district,
    state,
    pincode,
    country
  ]
  return createHash('sha256')
    .update(
      JSON.stringify([
        lines,
        name,
        email,
        phone,
        addressFields,
        deliveryDate,
        ...(coupon === undefined ? [] : [coupon]),
        ...(hasExtras ? [{ pickup, note, eventAt }] : [])
      ])
    )
    .digest('hex')
    .slice(0, 32)
}

export function toDestination({
  pickup,
  address
}: Pick<Checkout, 'pickup' | 'address'>): DeliveryOrder['to'] {
  return pickup ? 'pickup' : { pincode: address.pincode }
}

/** Checks the day, because the contract also accepts 30 February. */
function isEventTime(text: string): boolean {
  const time = fromIndianDateTime(text)
  return time !== undefined && toIndianDateTime(time) === text
}

export interface ShopRules {
  shopId: string
  isLive: boolean
  isLegal: boolean
  paymentMode: 'test' | 'live'
  orders: Settings['orders']
  delivery: StoredRules
  states: DeliveryStates
}

const SECTIONS = [...SELLER_SECTIONS, ...DELIVERY_SECTIONS] as const

export async function readShopRules({
  database,
  config,
  payments
}: Pick<FastifyInstance, 'database' | 'config' | 'payments'>): Promise<ShopRules> {
  const db = database.kysely
  const isTest = usesTestMode(payments.settings)
  const identity = await readIdentity(db)
  const stored = await readCurrentSections(db, SECTIONS)
  const { orders, ...values } = toValues(stored, SECTIONS)
  return {
    shopId: identity.id,
    isLive: isLiveAt(identity, config.siteUrl),
    isLegal: isTest || (await findMissingLegal(db)).length === 0,
    paymentMode: isTest ? 'test' : 'live',
    orders,
    delivery: toDeliveryRules(stored),
    states: toDeliveryStates(values)
  }
}

// Licence: Food Safety and Standards Act 2006. Grievance officer: E-Commerce Rules 2020.
export function requireSelling({ isLive, isLegal }: ShopRules, { role }: User): void {
  if (!isLive) throw new ShopError('SHOP_NOT_LIVE')
  if (isLegal) return
  const details = role === 'admin' ? { message: ADMIN_MESSAGES.legalMissing } : {}
  throw new ShopError('LEGAL_DETAILS_MISSING', details)
}

export function requireOpen({ orders: { closed } }: ShopRules, now: number): void {
  if (!isClosedOn(closed, toDayInIndia(now))) return
  throw new ShopError('SHOP_CLOSED', {
    message: `${CHECKOUT_MESSAGES.shopClosed}. ${reopeningText(closed)}`
  })
}

export function requireMinimum({ orders }: ShopRules, subtotal: Paise): void {
  const missing = findMissingText(subtotal, orders.minimumOrder)
  if (missing !== undefined) throw new ShopError('BELOW_MINIMUM_ORDER', { message: `${missing}.` })
}
