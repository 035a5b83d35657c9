import { describe, expect, test } from 'vitest'
import { addressLines, readAddress } from '#lib/address.ts'

const ADDRESS = {
  apartmentOrSuite: '3B',
  street: '12, Big Bazaar Street',
  city: 'Tiruchirappalli',
  district: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620008',
  country: 'India'
}
const NOTHING = { apartmentOrSuite: '', street: '', city: '', district: '', state: '', pincode: '', country: 'India' }

describe('Postal address', () => {
  test('is read from an object or from JSON', () => {
    expect(readAddress(ADDRESS)).toEqual(ADDRESS)
    expect(readAddress(JSON.stringify(ADDRESS))).toEqual(ADDRESS)
  })

  test('has India as its default country and empty strings for missing fields', () => {
    expect(readAddress({ city: 'Colombo', country: 'Sri Lanka' })).toEqual({
      ...NOTHING,
      city: 'Colombo',
      country: 'Sri Lanka'
    })
    expect(readAddress({ pincode: 620008 })).toEqual({ ...NOTHING, pincode: '620008' })
  })

  test.for([null, undefined, '', 'null', '{"city":', 'Big Bazaar Street', 7, [], '[]', { city: null, street: {} }])(
    '%j is read as an empty address',
    given => expect(readAddress(given)).toEqual(NOTHING)
  )

  test('is formatted as on a parcel, without missing lines', () => {
    expect(addressLines(readAddress(ADDRESS))).toEqual([
      '3B',
      '12, Big Bazaar Street',
      'Tiruchirappalli 620008',
      'Tiruchirappalli, Tamil Nadu',
      'India'
    ])
    expect(addressLines(readAddress({ city: 'Chennai' }))).toEqual(['Chennai', 'India'])
    expect(addressLines(readAddress(null))).toEqual([])
  })
})
