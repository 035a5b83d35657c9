import { describe, expect, test } from 'vitest'
import { toAddressLines, parseAddress } from '#lib/account/address.ts'

const ADDRESS = {
  apartmentOrSuite: '3B',
  street: '12, Big Bazaar Street',
  city: 'Tiruchirappalli',
  district: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620008',
  country: 'India'
}
const NOTHING = {
  ...{ apartmentOrSuite: '', street: '', city: '', district: '', state: '', pincode: '' },
  country: 'India'
}

describe('Postal address', () => {
  test('is read from an object or from JSON', () => {
    expect(parseAddress(ADDRESS)).toEqual(ADDRESS)
    expect(parseAddress(JSON.stringify(ADDRESS))).toEqual(ADDRESS)
  })

  test('has India as its default country and empty strings for missing fields', () => {
    expect(parseAddress({ city: 'Colombo', country: 'Sri Lanka' })).toEqual({
      ...NOTHING,
      city: 'Colombo',
      country: 'Sri Lanka'
    })
    expect(parseAddress({ pincode: 620008 })).toEqual({ ...NOTHING, pincode: '620008' })
  })

  test.for([null, '', '{"city":', 7, [], '[]', { city: null, street: {} }])(
    '%j is read as an empty address',
    input => expect(parseAddress(input)).toEqual(NOTHING)
  )

  test('is formatted as on a parcel label, without empty lines', () => {
    expect(toAddressLines(parseAddress(ADDRESS))).toEqual([
      '3B',
      '12, Big Bazaar Street',
      'Tiruchirappalli 620008',
      'Tiruchirappalli, Tamil Nadu',
      'India'
    ])
    expect(toAddressLines(parseAddress({ city: 'Chennai' }))).toEqual(['Chennai', 'India'])
    expect(toAddressLines(parseAddress(null))).toEqual([])
  })
})
