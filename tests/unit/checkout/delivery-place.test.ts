import { expect, test } from 'vitest'
import { describePlace } from '#lib/delivery/place.ts'
import { PICKUP, PINCODE_REPLY } from '../../support/delivery.ts'

const SERVED = 'Delivers to 620018 Thillai Nagar from Tue 24 Nov · ₹60 delivery, free from ₹500'
const note = 'We take orders again from Tue 24 Nov.'

test('The answer about a pincode says what else the checkout will say', () => {
  expect(describePlace(PINCODE_REPLY)).toBe(SERVED)
  const limited = { ...PINCODE_REPLY, notes: [note], minimumOrder: 300 }
  expect(describePlace(limited)).toBe(`${SERVED}. ${note} Minimum order ₹300.`)
  expect(describePlace(limited, '₹60.00 more.')).toBe(`${SERVED}. ${note} ₹60.00 more.`)
  expect(describePlace(limited, '')).toBe(`${SERVED}. ${note}`)
})

test('Where the shop does not deliver, the answer says why, and what pickup needs', () => {
  const refused = { ...PINCODE_REPLY, delivery: null, notes: [note], minimumOrder: 300 }
  expect(describePlace(refused)).toBe('We don’t deliver to 620018 Thillai Nagar.')
  const stateProblem = 'We deliver only within Kerala.'
  expect(describePlace({ ...refused, stateProblem })).toBe(`620018 Thillai Nagar: ${stateProblem}`)
  expect(describePlace({ ...refused, pickup: PICKUP })).toBe(
    `We don’t deliver to 620018 Thillai Nagar. You can pick up your order from Tue 24 Nov. ${note} Minimum order ₹300.`
  )
})
