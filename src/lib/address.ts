import type { Address } from './contract/accounts.ts'
import { DEFAULT_COUNTRY } from './constants.ts'

export type AddressForm = Record<keyof Address, string>

/** Accepts an object, its JSON text or null; missing lines become ''. */
export function readAddress(given: unknown): AddressForm {
  const lines = (typeof given === 'string' ? parseJson(given) : given) as Partial<Record<keyof Address, unknown>> | null
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

type AddressParts = { [Line in keyof AddressForm | 'landmark']?: string | undefined }

export function addressLines(address: AddressParts): string[] {
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
