import { ADDRESS_LABELS } from '../account/address.ts'
import { isBlank, normalizePhone, removeSpaces, toProblems, validateEmail, type Problems } from '../account/forms.ts'
import { DEFAULT_COUNTRY } from '../constants.ts'
import type { CustomerDetails, ShippingAddress } from '../contract/orders.ts'
import { findDateProblem, type DeliveryDay } from '../delivery/calendar.ts'
import { MESSAGES } from '../messages.ts'
import { CHECKOUT_MESSAGES } from './messages.ts'

/** In page order. The names equal those in the server's field errors. */
export const CHECKOUT_LABELS = {
  'customerDetails.email': 'Email',
  'customerDetails.name': 'Full name',
  'customerDetails.phone': 'Phone number',
  'shippingAddress.pincode': ADDRESS_LABELS.pincode,
  'shippingAddress.apartmentOrSuite': ADDRESS_LABELS.apartmentOrSuite,
  'shippingAddress.street': ADDRESS_LABELS.street,
  'shippingAddress.landmark': ADDRESS_LABELS.landmark,
  'shippingAddress.city': ADDRESS_LABELS.city,
  'shippingAddress.district': ADDRESS_LABELS.district,
  'shippingAddress.state': ADDRESS_LABELS.state,
  deliveryDate: 'Delivery date'
} as const

export type CheckoutField = keyof typeof CHECKOUT_LABELS
export type CheckoutValues = Record<CheckoutField, string>
export const CHECKOUT_FIELDS = Object.keys(CHECKOUT_LABELS) as CheckoutField[]

export function validateCheckout(values: CheckoutValues, days: readonly DeliveryDay[]): Problems<CheckoutField> {
  return toProblems({
    'customerDetails.email': validateEmail(values['customerDetails.email']).email,
    'customerDetails.name': isBlank(values['customerDetails.name']) && MESSAGES.nameRequired,
    'customerDetails.phone': !/^\d{10}$/.test(normalizePhone(values['customerDetails.phone'])) && MESSAGES.phoneInvalid,
    'shippingAddress.pincode':
      !/^[1-9]\d{5}$/.test(removeSpaces(values['shippingAddress.pincode'])) && MESSAGES.pincodeInvalid,
    'shippingAddress.street': isBlank(values['shippingAddress.street']) && CHECKOUT_MESSAGES.streetRequired,
    'shippingAddress.city': isBlank(values['shippingAddress.city']) && CHECKOUT_MESSAGES.cityRequired,
    'shippingAddress.state': isBlank(values['shippingAddress.state']) && CHECKOUT_MESSAGES.stateRequired,
    deliveryDate: findDateProblem(days, values.deliveryDate)
  })
}

export interface DeliveryDetails {
  customerDetails: CustomerDetails
  shippingAddress: ShippingAddress
  deliveryDate: string | null
}

export function toDeliveryDetails(values: CheckoutValues): DeliveryDetails {
  return {
    customerDetails: {
      name: values['customerDetails.name'].trim(),
      email: values['customerDetails.email'].trim(),
      phone: normalizePhone(values['customerDetails.phone'])
    },
    shippingAddress: {
      apartmentOrSuite: values['shippingAddress.apartmentOrSuite'].trim(),
      street: values['shippingAddress.street'].trim(),
      landmark: values['shippingAddress.landmark'].trim(),
      city: values['shippingAddress.city'].trim(),
      district: values['shippingAddress.district'].trim(),
      state: values['shippingAddress.state'],
      pincode: removeSpaces(values['shippingAddress.pincode']),
      country: DEFAULT_COUNTRY
    },
    deliveryDate: values.deliveryDate || null
  }
}
