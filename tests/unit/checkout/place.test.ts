import { expect, test } from 'vitest'
import type { DeliveryReply } from '#lib/contract/delivery.ts'
import { describePlace } from '#lib/delivery/place.ts'
import { OFFER, PICKUP, PINCODE_REPLY } from '../../support/delivery.ts'

const NO_ZONES = { ...OFFER, zone: '', fee: 0, usualFee: 0, freeAbove: null }
const PROBLEM = {
  product: 'halwa',
  text: 'Best within 3 days, but the courier takes up to 4 days.'
}

test.for<[string, Partial<DeliveryReply>, string]>([
  ['a fee', {}, 'Delivers to 620018 Thillai Nagar from Tue 24 Nov · ₹60 delivery, free from ₹500'],
  [
    'a fee for all',
    { delivery: { ...OFFER, usualFee: 62.5, freeAbove: null } },
    'Delivers to 620018 Thillai Nagar from Tue 24 Nov · ₹62.50 delivery'
  ],
  ['no zones', { delivery: NO_ZONES }, 'Delivers to 620018 Thillai Nagar from Tue 24 Nov'],
  [
    'a free zone',
    { delivery: { ...NO_ZONES, zone: 'Near' }, areas: ['A', 'B'] },
    'Delivers to 620018 Tiruchirappalli from Tue 24 Nov · free delivery'
  ],
  [
    'two ways',
    { delivery: NO_ZONES, pickup: PICKUP },
    'Delivers to 620018 Thillai Nagar from Tue 24 Nov · pickup possible'
  ],
  ['no way', { delivery: null }, 'We don’t deliver to 620018 Thillai Nagar.'],
  [
    'an item that can’t go there',
    { delivery: { ...OFFER, problems: [PROBLEM] } },
    `620018 Thillai Nagar: ${PROBLEM.text}`
  ],
  [
    'an item that arrives late',
    { delivery: { ...NO_ZONES, warnings: [PROBLEM] } },
    `Delivers to 620018 Thillai Nagar from Tue 24 Nov. ${PROBLEM.text}`
  ],
  [
    'a pincode that is not in the table',
    { delivery: NO_ZONES, isKnown: false, areas: [], district: '', states: ['Kerala', 'Goa'] },
    'We don’t know this pincode. Is it right? Delivers to 620018 Kerala or Goa from Tue 24 Nov'
  ],
  [
    'no open day',
    { delivery: { ...NO_ZONES, firstDay: null } },
    'All days for 620018 Thillai Nagar are full at the moment'
  ]
])('A pincode with %s', ([, changes, text]) =>
  expect(describePlace({ ...PINCODE_REPLY, ...changes })).toBe(text)
)

test('A place names what the checkout will say, too', () => {
  const served = 'Delivers to 620018 Thillai Nagar from Tue 24 Nov · ₹60 delivery, free from ₹500'
  const note = 'We take orders again from Tue 24 Nov.'
  const limited = { ...PINCODE_REPLY, notes: [note], minimumOrder: 300 }
  expect(describePlace(limited)).toBe(`${served}. ${note} Minimum order ₹300.`)
  expect(describePlace(limited, '₹60.00 more.')).toBe(`${served}. ${note} ₹60.00 more.`)
  const refused = { ...limited, delivery: null }
  expect(describePlace(refused)).toBe('We don’t deliver to 620018 Thillai Nagar.')
  const stateProblem = 'We deliver only within Kerala.'
  expect(describePlace({ ...refused, stateProblem })).toBe(`620018 Thillai Nagar: ${stateProblem}`)
  expect(describePlace({ ...refused, pickup: PICKUP })).toBe(
    `We don’t deliver to 620018 Thillai Nagar. You can pick up your order from Tue 24 Nov. ${note} Minimum order ₹300.`
  )
})
