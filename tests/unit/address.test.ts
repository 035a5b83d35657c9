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

describe('an address', () => {
  test('is read from an object and from the JSON text of one', () => {
    expect(readAddress(ADDRESS)).toEqual(ADDRESS)
    expect(readAddress(JSON.stringify(ADDRESS))).toEqual(ADDRESS)
  })

  test('has India as its country unless it says another, and its missing lines are empty', () => {
    expect(readAddress({ city: 'Colombo', country: 'Sri Lanka' })).toEqual({
      ...NOTHING,
      city: 'Colombo',
      country: 'Sri Lanka'
    })
    expect(readAddress({ pincode: 620008 })).toEqual({ ...NOTHING, pincode: '620008' })
  })

  test.for([null, undefined, '', 'null', '{"city":', 'Big Bazaar Street', 7, [], '[]', { city: null, street: {} }])(
    'that is %j is empty',
    given => expect(readAddress(given)).toEqual(NOTHING)
  )

  test('is shown as on a parcel, without the lines that are not known', () => {
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
