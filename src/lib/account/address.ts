import { parseJson } from '../browser.ts'
import { DEFAULT_COUNTRY } from '../constants.ts'
import type { Address } from '../contract/accounts.ts'
import { texts } from '../contract/texts.ts'
import { stateConflictText } from '../checkout/messages.ts'
import type { PincodeLookup } from '../delivery/place.ts'
import { findState } from '../contract/states.ts'

export type AddressForm = Record<keyof Address, string>

export const ADDRESS_LABELS = texts({
  pincode: 'Pincode',
  apartmentOrSuite: 'Flat, house no., building',
  street: 'Street and area',
  landmark: 'Landmark',
  city: 'City or town',
  district: 'District',
  state: 'State'
})
export type AddressLine = keyof typeof ADDRESS_LABELS

const FIELDS = [
  'apartmentOrSuite',
  'street',
  'city',
  'district',
  'state',
  'pincode',
  'country'
] as const

export function parseAddress(value: unknown): AddressForm {
  const address = (typeof value === 'string' ? parseJson(value) : value) as Partial<
    Record<string, unknown>
  > | null
  const texts = FIELDS.map(name => {
    const text = address?.[name]
    return [name, typeof text === 'string' || typeof text === 'number' ? String(text) : '']
  })
  const form = Object.fromEntries(texts) as AddressForm
  return { ...form, country: form.country || DEFAULT_COUNTRY }
}

type AddressParts = { [Line in keyof AddressForm | 'landmark']?: string | undefined }

export function toAddressLines(address: AddressParts): string[] {
  const {
    apartmentOrSuite,
    street,
    landmark,
    city,
    district,
    state,
    pincode,
    country = DEFAULT_COUNTRY
  } = address
  const town = [city, pincode].filter(Boolean).join(' ')
  const region = [district, state].filter(Boolean).join(', ')
  const lines = [apartmentOrSuite, street, landmark, town, region].flatMap(line => line || [])
  return lines.length > 0 ? [...lines, country] : []
}

export function findStateConflict(
  lookup: PincodeLookup | undefined,
  pincode: string,
  state: string
): string | undefined {
  const states = lookup?.pincode === pincode ? (lookup.reply?.states ?? []) : []
  const known = findState(state)
  return states.length === 0 || known === '' || states.includes(known)
    ? undefined
    : stateConflictText(pincode, states)
}
