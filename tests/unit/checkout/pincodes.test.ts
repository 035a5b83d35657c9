import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { findState, STATES } from '#lib/contract/states.ts'
import {
  findPincode,
  findPincodeProblems,
  PINCODE_FILE
} from '#server/platform/pincodes/pincodes.ts'

const lines = gunzipSync(readFileSync(PINCODE_FILE))
  .toString()
  .split('\n')
  .filter(line => !line.startsWith('#'))

describe('Table of pincodes', () => {
  test('has the places of a pincode', () => {
    expect(findPincode('620018')).toEqual({
      isKnown: true,
      states: ['Tamil Nadu'],
      district: 'Tiruchirappalli',
      areas: ['Thillai Nagar']
    })
  })

  test('does not know the whole pincode, but where it must be', () => {
    const place = { isKnown: false, states: ['Tamil Nadu'], district: 'Tiruchirappalli', areas: [] }
    expect(findPincode('620099')).toEqual(place)
    expect(findPincode('160999')?.states.toSorted()).toEqual(['Chandigarh', 'Punjab'])
  })

  test.for(['999999', '290001', '100001', '900056'])('has no first three digits of %s', pincode => {
    expect(findPincode(pincode)).toBeUndefined()
  })

  test('is readable in each line, names states as the address form does and covers nearly all of India', () => {
    const states: readonly string[] = STATES
    for (const line of lines) {
      const [pincode = '', state = '', district = '', areas = '', more] = line.split('|')
      const isRight =
        /^[1-9]\d{5}$/.test(pincode) && states.includes(state) && district !== '' && areas !== ''
      expect(isRight && more === undefined, line).toBe(true)
    }
    expect(new Set(lines.map(line => line.slice(0, 6))).size).toBeGreaterThan(19_000)
    expect(new Set(lines.map(line => line.split('|')[1])).size).toBe(STATES.length)
  })

  test.for([
    ['600017', 'Chennai'],
    ['625001', 'Madurai'],
    ['641601', 'Tiruppur'],
    ['627811', 'Tenkasi'],
    ['632401', 'Ranipet'],
    ['643001', 'The Nilgiris'],
    ['400001', 'Mumbai'],
    ['605001', 'Pondicherry']
  ] as const)('gives %s the district %s, also if it is a new one', ([pincode, district]) => {
    expect(findPincode(pincode)?.district).toBe(district)
  })

  test.for([
    ['110001', 'Delhi'],
    ['403001', 'Goa'],
    ['500001', 'Telangana'],
    ['682001', 'Kerala'],
    ['737101', 'Sikkim'],
    ['834001', 'Jharkhand'],
    ['194101', 'Ladakh'],
    ['396210', 'Dadra and Nagar Haveli and Daman and Diu']
  ] as const)('gives %s the state %s', ([pincode, state]) =>
    expect(findPincode(pincode)?.states).toEqual([state])
  )
})

describe('Pincode and state', () => {
  const problems = (pincode: string, state: string) =>
    findPincodeProblems({ pincode, state }, 'shippingAddress')

  test('must not contradict each other', () => {
    expect(problems('560001', 'Kerala')).toEqual({
      'shippingAddress.state': '560001 is in Karnataka'
    })
    expect(problems('560001', 'Karnataka')).toEqual({})
    expect(problems('560999', 'Kerala')).toEqual({
      'shippingAddress.state': '560999 is in Karnataka'
    })
  })

  test('agree if the pincode is in two states', () => {
    expect(problems('605110', 'Tamil Nadu')).toEqual({})
    expect(problems('605110', 'Puducherry')).toEqual({})
    expect(problems('605110', 'Kerala')).toEqual({
      'shippingAddress.state': '605110 is in Puducherry or Tamil Nadu'
    })
  })

  test('are not compared if the state is no known one', () => {
    expect(problems('560001', '')).toEqual({})
    expect(problems('999999', '')).toEqual({
      'shippingAddress.pincode': 'There is no such pincode. Please check it.'
    })
  })
})

test.for([
  ['tamilnadu', 'Tamil Nadu'],
  ['Jammu & Kashmir', 'Jammu and Kashmir'],
  [' KERALA ', 'Kerala'],
  ['Bavaria', '']
] as const)('the state %s matches %s', ([written, state]) => expect(findState(written)).toBe(state))
