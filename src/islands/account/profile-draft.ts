import { useState } from 'react'
import { findState } from '#lib/account/address.ts'
import { normalizePhone, removeSpaces } from '#lib/account/forms.ts'
import { readDraft, saveDraft } from '#lib/browser.ts'
import type { Profile } from '#lib/contract/accounts.ts'
import type { ProfileDetails } from '#lib/stores/account.ts'

/** The server uses the same names in its field errors. */
export const PROFILE_FIELDS = [
  'name',
  'phoneNumber',
  'address.pincode',
  'address.apartmentOrSuite',
  'address.street',
  'address.city',
  'address.district',
  'address.state'
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
    'address.state': findState(address.state) || address.state,
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

interface Draft {
  userId: string
  values: Partial<ProfileValues>
  editing: boolean
}

/** Stores unsaved input, so that Cancel or a reload does not delete it. After a reload, an open form opens again. */
export function useProfileDraft(userId: string) {
  const [{ values, editing }, setDraft] = useState(() => restoreDraft(userId))

  const setAndSave = (draft: Pick<Draft, 'values' | 'editing'>) => {
    setDraft(draft)
    saveDraft('profile', Object.keys(draft.values).length > 0 ? { userId, ...draft } : undefined)
  }
  return {
    draft: values,
    editing,
    edit: () => setAndSave({ values, editing: true }),
    /** Does not update the React state, because the fields are uncontrolled. */
    save: (typed: ProfileValues) => saveDraft('profile', { userId, values: typed, editing: true } satisfies Draft),
    cancel: (typed: ProfileValues) => setAndSave({ values: typed, editing: false }),
    clear: () => setAndSave({ values: {}, editing: false })
  }
}

function restoreDraft(userId: string): Pick<Draft, 'values' | 'editing'> {
  const stored = readDraft<Draft>('profile')
  if (stored?.userId !== userId || typeof stored.values !== 'object' || stored.values === null)
    return { values: {}, editing: false }
  const texts = Object.entries(stored.values).filter(([, value]) => typeof value === 'string')
  return { values: Object.fromEntries(texts), editing: stored.editing === true }
}
