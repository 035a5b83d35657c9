import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parsePincodes } from '#lib/contract/formats.ts'
import { STATES } from '#lib/contract/states.ts'
import {
  findPincode,
  findPincodeProblems,
  listPlaces,
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
      town: 'Tiruchirappalli',
      areas: ['Thillai Nagar']
    })
  })

  test('does not know the whole pincode, but where it must be', () => {
    const place = { isKnown: false, states: ['Tamil Nadu'], district: 'Tiruchirappalli' }
    expect(findPincode('620099')).toMatchObject(place)
    expect(findPincode('160999')?.states.toSorted()).toEqual(['Chandigarh', 'Punjab'])
  })

  const unused = '10 29 35 54 55 65 66 86 87 88 89'
  test.for(unused.split(' '))('refuses %s0001, of no circle of India Post', digits =>
    expect(findPincode(`${digits}0001`)).toBeUndefined()
  )

  test.for([
    ['178001', false],
    ['633001', false],
    ['859999', false],
    ['900056', true],
    ['999999', true]
  ] as const)('has no state for %s, newer than it or of the army', ([pincode, isKnown]) => {
    expect(findPincode(pincode)).toMatchObject({ isKnown, states: [], district: '' })
    for (const state of STATES)
      expect(findPincodeProblems({ pincode, state }, 'address')).toEqual({})
    expect(listPlaces(pincode)).toEqual([])
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
    ['627811', 'Tamil Nadu', 'Tenkasi'],
    ['605001', 'Puducherry', 'Pondicherry'],
    ['500001', 'Telangana', 'Hyderabad'],
    ['194101', 'Ladakh', 'Leh']
  ] as const)('gives %s the state %s and the district %s, also if they are new', pincode => {
    const [code, state, district] = pincode
    expect(findPincode(code)).toMatchObject({ states: [state], district })
  })
})

describe('Places around a pincode', () => {
  const near = (pincode: string) => listPlaces(pincode).map(({ name }) => name)
  const ranges = new Map(
    listPlaces('620018').map(({ area, pincodes }) => [
      area as string,
      parsePincodes(pincodes) ?? []
    ])
  )
  const isIn = (area: string, pincode: string) =>
    ranges.get(area)?.some(({ from, until }) => from <= pincode && pincode <= until)

  test.for([
    ['620018', 'Tiruchirappalli city', 'Tiruchirappalli district', 'Tamil Nadu'],
    ['612001', 'Kumbakonam city', 'Thanjavur district', 'Tamil Nadu'],
    ['621112', 'Pincode 621112', 'Perambalur district', 'Tamil Nadu'],
    ['110017', 'Delhi city', 'South Delhi district', 'Delhi']
  ])('of %s are named from small to large', ([pincode = '', ...names]) =>
    expect(near(pincode)).toEqual(names)
  )

  test('have the pincodes of the table, and no others', () => {
    for (const line of lines) {
      const [pincode = '', state] = line.split('|')
      const { states = [], district } = findPincode(pincode) ?? {}
      expect(isIn('state', pincode), pincode).toBe(states.includes('Tamil Nadu'))
      const isDistrict = district === 'Tiruchirappalli' && states.includes('Tamil Nadu')
      if (state === 'Tamil Nadu') expect(isIn('district', pincode), pincode).toBe(isDistrict)
    }
    expect([isIn('city', '620026'), isIn('city', '621105')]).toEqual([true, false])
  })
})

test.for([
  ['560001', 'Karnataka', undefined],
  ['560001', 'Kerala', '560001 is in Karnataka'],
  ['560999', 'Kerala', '560999 is in Karnataka'],
  ['605110', 'Tamil Nadu', undefined],
  ['605110', 'Puducherry', undefined],
  ['605110', 'Kerala', '605110 is in Puducherry or Tamil Nadu'],
  ['609602', 'Puducherry', undefined],
  ['609602', 'Tamil Nadu', '609602 is in Puducherry'],
  ['673310', 'Puducherry', undefined],
  ['673310', 'Kerala', undefined],
  ['533464', 'Puducherry', undefined],
  ['533464', 'Tamil Nadu', '533464 is in Andhra Pradesh or Puducherry'],
  ['682555', 'Lakshadweep', undefined],
  ['744101', 'Andaman and Nicobar Islands', undefined]
] as const)('%s and the state %s have the problem %j', ([pincode, state, text]) => {
  const problems = findPincodeProblems({ pincode, state }, 'shippingAddress')
  expect(problems).toEqual(text === undefined ? {} : { 'shippingAddress.state': text })
})
