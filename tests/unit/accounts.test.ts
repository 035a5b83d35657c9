import { describe, expect, test } from 'vitest'
import { formatSeconds } from '#lib/messages.ts'
import { codeMail } from '#server/accounts/codes.ts'
import { networksOf } from '#server/platform/http/limits.ts'
import { toAddressLines, parseAddress } from '#lib/account/address.ts'

test.for([
  ['203.0.113.9', ['203.0.113.9']],
  ['::ffff:203.0.113.9', ['203.0.113.9']],
  ['2001:db8:0:7::1', ['2001:db8:0:7::/64', '2001:db8:0::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
  ['[2001:DB8:0000:0007::1]:443', ['2001:db8:0:7::/64', '2001:db8:0::/48']],
  ['unknown', ['unknown']]
] as const)('Networks of an IP address are %s: %s', ([ip, networks]) =>
  expect(networksOf(ip)).toEqual(networks)
)

test('waiting times are rounded up to whole seconds, minutes or hours', () => {
  expect([1, 40, 90, 91, 899, 5400, 5401, 50_400].map(formatSeconds)).toEqual([
    '1 second',
    '40 seconds',
    '90 seconds',
    '2 minutes',
    '15 minutes',
    '90 minutes',
    '2 hours',
    '14 hours'
  ])
})

test('the shop name is escaped in the mail with a one-time code', () => {
  const mail = codeMail({
    id: 'x',
    to: 'a@b.co',
    code: '123456',
    shopName: 'A <b> & "C"',
    siteUrl: 'https://shop.example'
  })
  expect(mail.html).toContain('A &#60;b&#62; &#38; &#34;C&#34;')
  expect(mail.text).toContain('Enter it on shop.example.')
})

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
