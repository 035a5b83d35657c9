import { removeSpaces } from '#lib/account-forms.ts'
import type { Profile } from '#lib/contract/accounts.ts'
import { normalizePhone } from '#lib/phone.ts'
import type { ProfileDetails } from '#lib/stores/profile.ts'

/** The server uses the same names in its field errors. */
export const PROFILE_FIELDS = [
  'name',
  'phoneNumber',
  'address.apartmentOrSuite',
  'address.street',
  'address.city',
  'address.district',
  'address.state',
  'address.pincode'
] as const

export type ProfileValues = Record<(typeof PROFILE_FIELDS)[number], string>

export function toValues({ name, phoneNumber, address }: ProfileDetails): ProfileValues {
  return {
    name,
    phoneNumber,
    'address.apartmentOrSuite': address.apartmentOrSuite,
    'address.street': address.street,
    'address.city': address.city,
    'address.district': address.district,
    'address.state': address.state,
    'address.pincode': address.pincode
  }
}

export function toProfile(values: ProfileValues, country: string): Profile {
  return {
    name: values.name,
    phoneNumber: normalizePhone(values.phoneNumber),
    address: {
      apartmentOrSuite: values['address.apartmentOrSuite'],
      street: values['address.street'],
      city: values['address.city'],
      district: values['address.district'],
      state: values['address.state'],
      pincode: removeSpaces(values['address.pincode']),
      country
    }
  }
}
