import type { Address } from './contract/accounts.ts'
import { DEFAULT_COUNTRY } from './constants.ts'

/** Every line of an address; what is not known is empty. */
export type AddressForm = Record<keyof Address, string>

/** The lines of an address that came as an object, as the JSON text of one, or not at all. */
export function readAddress(given: unknown): AddressForm {
  const lines = (typeof given === 'string' ? parsed(given) : given) as Partial<Record<keyof Address, unknown>> | null
  const line = (name: keyof Address): string => {
    const text = lines?.[name]
    return typeof text === 'string' || typeof text === 'number' ? String(text) : ''
  }
  return {
    apartmentOrSuite: line('apartmentOrSuite'),
    street: line('street'),
    city: line('city'),
    district: line('district'),
    state: line('state'),
    pincode: line('pincode'),
    country: line('country') || DEFAULT_COUNTRY
  }
}

type Written = { [Line in keyof AddressForm | 'landmark']?: string | undefined }

/** An address as it stands on a parcel; nothing when only its country is known. */
export function addressLines(address: Written): string[] {
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country = DEFAULT_COUNTRY } = address
  const town = [city, pincode].filter(Boolean).join(' ')
  const lines = [apartmentOrSuite, street, landmark, town, listed(district, state)].filter(
    (line): line is string => line !== undefined && line !== ''
  )
  return lines.length > 0 ? [...lines, country] : []
}

function listed(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(', ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
