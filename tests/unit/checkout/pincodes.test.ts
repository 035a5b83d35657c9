import { describe, expect, test } from 'vitest'
import { findState, STATES } from '#lib/account/address.ts'
import { findPlace } from '#lib/checkout/pincodes.ts'

describe('Pincode in Tamil Nadu', () => {
  test.for([
    ['600017', 'Chennai'],
    ['620018', 'Tiruchirappalli'],
    ['621306', undefined],
    ['625531', undefined],
    ['625001', 'Madurai'],
    ['629001', 'Kanniyakumari'],
    ['641001', 'Coimbatore'],
    ['641601', 'Tiruppur'],
    ['636701', 'Dharmapuri'],
    ['636001', 'Salem'],
    ['627811', 'Tenkasi'],
    ['632401', 'Ranipet'],
    ['643001', 'The Nilgiris']
  ] as const)('%s gives the district %s', ([pincode, district]) => {
    expect(findPlace(pincode)).toEqual({ state: 'Tamil Nadu', ...(district && { district }) })
  })

  test('gives at least the state for every three-digit prefix', () => {
    for (let prefix = 600; prefix <= 643; prefix++) {
      const place = findPlace(`${prefix}999`)
      expect(place?.state, String(prefix)).toBe('Tamil Nadu')
    }
  })
})

describe('Pincode outside Tamil Nadu', () => {
  test.for([
    ['110001', 'Delhi'],
    ['403001', 'Goa'],
    ['400001', 'Maharashtra'],
    ['500001', 'Telangana'],
    ['560001', 'Karnataka'],
    ['682001', 'Kerala'],
    ['737101', 'Sikkim'],
    ['834001', 'Jharkhand'],
    ['194101', 'Ladakh']
  ])('%s gives the state %s', ([pincode = '', state]) => expect(findPlace(pincode)).toEqual({ state }))

  test('gives a state that the checkout form offers', () => {
    for (let prefix = 110; prefix < 860; prefix++) {
      const place = findPlace(`${prefix}001`)
      if (place) expect(STATES).toContain(place.state)
    }
  })

  test('gives no state for an ambiguous area', () => expect(findPlace('605001')).toBeUndefined())
  test.for(['', '62001', '6200188', '020001', 'abcdef', '900001'])(
    'gives no state for an invalid pincode: %s',
    pincode => expect(findPlace(pincode)).toBeUndefined()
  )
})

test.for([
  ['tamilnadu', 'Tamil Nadu'],
  ['Jammu & Kashmir', 'Jammu and Kashmir'],
  [' KERALA ', 'Kerala'],
  ['Bavaria', '']
] as const)('the state %s matches %s', ([written, state]) => expect(findState(written)).toBe(state))
