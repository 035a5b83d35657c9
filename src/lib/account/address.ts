import type { Address } from '../contract/accounts.ts'
import { DEFAULT_COUNTRY } from '../constants.ts'

export type AddressForm = Record<keyof Address, string>

/** Accepts an object, its JSON text or null. Missing fields become ''. */
export function parseAddress(value: unknown): AddressForm {
  const address = (typeof value === 'string' ? parseJson(value) : value) as Partial<
    Record<keyof Address, unknown>
  > | null
  const field = (name: keyof Address): string => {
    const text = address?.[name]
    return typeof text === 'string' || typeof text === 'number' ? String(text) : ''
  }
  return {
    apartmentOrSuite: field('apartmentOrSuite'),
    street: field('street'),
    city: field('city'),
    district: field('district'),
    state: field('state'),
    pincode: field('pincode'),
    country: field('country') || DEFAULT_COUNTRY
  }
}

type AddressParts = { [Line in keyof AddressForm | 'landmark']?: string | undefined }

export function toAddressLines(address: AddressParts): string[] {
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country = DEFAULT_COUNTRY } = address
  const town = [city, pincode].filter(Boolean).join(' ')
  const lines = [apartmentOrSuite, street, landmark, town, joinParts(district, state)].filter(
    (line): line is string => line !== undefined && line !== ''
  )
  return lines.length > 0 ? [...lines, country] : []
}

function joinParts(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(', ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
