import { describe, expect, test } from 'vitest'
import {
  listDayChoices,
  validateCheckout,
  toDeliveryDetails,
  type CheckoutValues
} from '#lib/checkout/checkout-form.ts'
import { CustomerDetails, DeliveryDate, ShippingAddress } from '#lib/contract/orders.ts'
import { SHOP } from '../../support/orders.ts'

const FACTS = { days: listDayChoices(undefined, SHOP, Date.parse('2026-11-21T04:00:00Z')) }
const VALID: CheckoutValues = {
  'customerDetails.email': 'priya@example.test',
  'customerDetails.name': 'Priya Raman',
  'customerDetails.phone': '+91 98765-43210',
  ...{ 'shippingAddress.pincode': '620 002', 'shippingAddress.apartmentOrSuite': '' },
  ...{ 'shippingAddress.street': '4 Rockfort Road', 'shippingAddress.landmark': '' },
  ...{ 'shippingAddress.city': 'Tiruchirappalli', 'shippingAddress.district': '' },
  ...{ 'shippingAddress.state': 'Tamil Nadu', deliveryDate: '2026-11-23', eventAt: '', note: '' },
  ...{ isGift: '', 'gift.name': '', 'gift.message': '' }
}

describe('Checkout form', () => {
  test('normalises phone number, pincode and date', () => {
    expect(validateCheckout(VALID, FACTS)).toEqual({})
    expect(toDeliveryDetails(VALID)).toMatchObject({
      customerDetails: { phone: '9876543210' },
      shippingAddress: { pincode: '620002', country: 'India' },
      deliveryDate: '2026-11-23'
    })
    expect(toDeliveryDetails({ ...VALID, deliveryDate: '' }).deliveryDate).toBeNull()
  })

  test('reports each missing field of an empty form', () => {
    const empty = Object.fromEntries(Object.keys(VALID).map(name => [name, ' '])) as CheckoutValues
    expect(validateCheckout({ ...empty, deliveryDate: '', eventAt: '' }, FACTS)).toEqual({
      'customerDetails.email': 'Please enter your email',
      'customerDetails.name': 'Name is required.',
      'customerDetails.phone': 'Please enter a valid 10-digit phone number',
      'shippingAddress.pincode': 'Please enter a valid 6-digit pincode',
      'shippingAddress.street': 'Please enter the street and area',
      'shippingAddress.city': 'Please enter the city',
      'shippingAddress.state': 'Please choose the state'
    })
  })

  test.for([
    ['customerDetails.email', ['priya', 'a@b', ' a@b.co ']],
    ['customerDetails.name', ['  ', 'பிரியா']],
    ['customerDetails.phone', ['', '12345', '98765432101', '098765 43210', 'call me']],
    ['shippingAddress.pincode', ['', '62001', '6200011', '062001', '620 001']],
    ['shippingAddress.street', [' ', '12 Kolam Street']],
    ['deliveryDate', ['', '2026-11-30', '2026-1-5', 'soon']]
  ] as const)('validates %s like the API schema', ([field, samples]) => {
    for (const sample of samples) {
      const values = { ...VALID, [field]: sample }
      const { customerDetails, shippingAddress, deliveryDate } = toDeliveryDetails(values)
      const isAccepted =
        CustomerDetails.safeParse(customerDetails).success &&
        ShippingAddress.safeParse(shippingAddress).success &&
        (deliveryDate === null || DeliveryDate.safeParse(deliveryDate).success)
      expect(Object.keys(validateCheckout(values, FACTS)).length === 0, `${field}: ${sample}`).toBe(
        isAccepted
      )
    }
  })
})
