import { ADDRESS_LABELS, findStateConflict } from '../account/address.ts'
import {
  isBlank,
  type Problems,
  readGroup,
  toGroup,
  toProblems,
  validateEmail
} from '../account/forms.ts'
import { countShownLetters, FIELD_TEXTS, normalizePhone, toDigits } from '../contract/formats.ts'
import { DEFAULT_COUNTRY, ORDER_LIMITS, PINCODE } from '../constants.ts'
import { plural, t, texts } from '../contract/texts.ts'
import type { UnitemisedOrder } from '../contract/checkout.ts'
import type { ShippingAddress } from '../contract/orders.ts'
import type { DeliveryOffer } from '../contract/delivery.ts'
import { type Calendar, type ClosedDays, findDateProblem, listDays } from '../delivery/calendar.ts'
import { CHECKOUT_MESSAGES } from './messages.ts'
import type { PincodeLookup } from '../delivery/place.ts'
import type { Settings, ShopSettings } from '../contract/settings.ts'
import { formatPaise, fromRupees, type Paise, toPaise } from '../money.ts'
import type { TaxStatus } from '../contract/names.ts'

export const CHECKOUT_ID = 'checkout'

export const CHECKOUT_LABELS = texts({
  'customerDetails.email': 'Email',
  'customerDetails.name': 'Full name',
  'customerDetails.phone': 'Phone number',
  ...toGroup(ADDRESS_LABELS, 'shippingAddress'),
  deliveryDate: 'Delivery date',
  eventAt: 'Date and time of your event',
  note: 'Note for the kitchen',
  isGift: 'This is a gift',
  'gift.name': 'Recipient’s name',
  'gift.message': 'Your message'
})

export type CheckoutField = keyof typeof CHECKOUT_LABELS
export type CheckoutValues = Record<CheckoutField, string>
export const CHECKOUT_FIELDS = Object.keys(CHECKOUT_LABELS) as CheckoutField[]

type DayChoice = DeliveryOffer['days'][number]

/** Until the server answers, by the page's settings. */
export function listDayChoices(
  offer: DeliveryOffer | undefined,
  shop: CheckoutShop,
  now: number
): DayChoice[] {
  if (offer) return offer.days
  const transit = shop.leastTransit
  return listDays(calendarOf(shop), { now, transit }).map(({ date, isOpen }) => ({
    date,
    state: isOpen ? 'open' : 'closed'
  }))
}

export function isOpenDay({ state }: DayChoice): boolean {
  return state === 'open' || state === 'few'
}

interface CheckoutFacts {
  days: readonly DayChoice[]
  isPickup?: boolean
  lookup?: PincodeLookup
  /** For the answer about the pincode. */
  isWaiting?: boolean
}

export function validateCheckout(
  values: CheckoutValues,
  { days, isPickup = false, lookup, isWaiting = false }: CheckoutFacts
): Problems<CheckoutField> {
  return toProblems({
    'customerDetails.email': validateEmail(values['customerDetails.email']).email,
    'customerDetails.name': isBlank(values['customerDetails.name']) && FIELD_TEXTS.nameRequired,
    'customerDetails.phone':
      !/^\d{10}$/.test(normalizePhone(values['customerDetails.phone'])) && FIELD_TEXTS.phoneInvalid,
    ...(!isPickup && findAddressProblems(values, lookup, isWaiting)),
    'gift.message': values.isGift !== '' && findLengthProblem(values['gift.message']),
    ...(!isWaiting && {
      deliveryDate: findDayProblem(days, values.deliveryDate),
      eventAt: findEventProblem(values, days)
    })
  })
}

function findAddressProblems(
  values: CheckoutValues,
  lookup: PincodeLookup | undefined,
  isWaiting: boolean
): Problems<CheckoutField> {
  const pincode = toDigits(values['shippingAddress.pincode'])
  const state = values['shippingAddress.state']
  return toProblems({
    'shippingAddress.pincode': findPincodeProblem(pincode, lookup),
    'shippingAddress.street':
      isBlank(values['shippingAddress.street']) && FIELD_TEXTS.streetRequired,
    'shippingAddress.city': isBlank(values['shippingAddress.city']) && FIELD_TEXTS.cityRequired,
    'shippingAddress.state': isBlank(state)
      ? // The answer fills in the state.
        !isWaiting && FIELD_TEXTS.stateRequired
      : findStateConflict(lookup, pincode, state)
  })
}

function findPincodeProblem(pincode: string, lookup: PincodeLookup | undefined) {
  if (!PINCODE.test(pincode)) return FIELD_TEXTS.pincodeInvalid
  if (lookup?.pincode !== pincode) return undefined
  if (lookup.error?.code === 'PINCODE_UNKNOWN') return CHECKOUT_MESSAGES.pincodeUnknown
  const { delivery, stateProblem } = lookup.reply ?? {}
  return delivery === null ? stateProblem || CHECKOUT_MESSAGES.notDelivered : undefined
}

function findDayProblem(days: readonly DayChoice[], date: string) {
  if (days.find(day => day.date === date)?.state === 'full') return CHECKOUT_MESSAGES.dayFull
  const choices = days.map(day => ({ date: day.date, isOpen: isOpenDay(day) }))
  return findDateProblem(choices, date)
}

function findEventProblem({ eventAt, deliveryDate }: CheckoutValues, days: readonly DayChoice[]) {
  const arrival = deliveryDate || (days.find(isOpenDay)?.date ?? '')
  return eventAt !== '' && eventAt.slice(0, 10) < arrival
    ? t('Your event is before the delivery. Please check both dates.')
    : undefined
}

/** Negative if the message of a gift is too long. */
export function countLettersLeft(message: string): number {
  return ORDER_LIMITS.giftMessage - countShownLetters(message.trim())
}

export function findLengthProblem(message: string): string | undefined {
  const left = countLettersLeft(message)
  if (left >= 0) return undefined
  return plural(
    -left,
    'Your message is {count} letter too long.',
    'Your message is {count} letters too long.'
  )
}

export type DeliveryDetails = Omit<UnitemisedOrder, 'items'>

export function toDeliveryDetails(
  values: CheckoutValues,
  kitchen?: CheckoutShop['address']
): DeliveryDetails {
  const [note, eventAt] = [values.note.trim(), values.eventAt]
  const address = readGroup(values, 'shippingAddress')
  const [pincode, country] = [toDigits(address.pincode), DEFAULT_COUNTRY]
  return {
    customerDetails: {
      ...readGroup(values, 'customerDetails'),
      phone: normalizePhone(values['customerDetails.phone'])
    },
    shippingAddress: kitchen ? toPickupAddress(kitchen) : { ...address, pincode, country },
    deliveryDate: values.deliveryDate || null,
    ...(kitchen && { pickup: true }),
    ...(note !== '' && { note }),
    ...(eventAt !== '' && { eventAt }),
    ...(values.isGift !== '' && { gift: readGroup(values, 'gift') })
  }
}

function toPickupAddress({
  street,
  area,
  city,
  state,
  pincode
}: CheckoutShop['address']): ShippingAddress {
  return {
    street: [street, area].filter(Boolean).join(', '),
    city,
    state,
    pincode,
    country: DEFAULT_COUNTRY
  }
}

export interface TaxFacts {
  taxText: string
  servedState: ShopSettings['tax']['servedState']
}

export interface CheckoutShop
  extends
    Pick<Settings['shop'], 'name' | 'phone' | 'whatsapp' | 'email' | 'hours' | 'address'>,
    TaxFacts {
  closed: ClosedDays
  /** In rupees. */
  minimumOrder: number
  calendar: ShopSettings['calendar']
  hasFees: boolean
  leastTransit: number
  hasPickup: boolean
  pickupPlace: readonly string[]
  eventProducts: readonly string[]
}

export function calendarOf({
  calendar,
  closed
}: Pick<CheckoutShop, 'calendar' | 'closed'>): Calendar {
  return { ...calendar, closed }
}

/** Before coupon and delivery fee, `minimumOrder` in rupees. */
export function findMissingText(subtotal: Paise, minimumOrder: number): string | undefined {
  const minimum = fromRupees(minimumOrder)
  if (subtotal >= minimum) return undefined
  return t('{missing} more to reach our minimum order of {minimum}', {
    missing: formatPaise(toPaise(minimum - subtotal)),
    minimum: formatPaise(minimum)
  })
}

export function toTaxText({ status, gstin }: { status: TaxStatus; gstin: string }): string {
  // The GSTIN may be older than the setting `status`.
  if (status === 'regular' || (status === 'unregistered' && gstin !== ''))
    return t('Prices include GST.')
  return t(
    status === 'composition'
      ? 'Composition taxable person: no tax is charged.'
      : 'Not registered for GST: no tax is charged.'
  )
}
