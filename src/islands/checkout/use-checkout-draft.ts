import { useEffect, type RefObject } from 'react'
import { CHECKOUT_FIELDS, type CheckoutValues } from '#lib/checkout/checkout-form.ts'
import { findState } from '#lib/checkout/states.ts'
import { saveDraft, readDraft } from '#lib/stores/drafts.ts'
import type { ProfileDetails } from '#lib/stores/profile.ts'
import { fieldOf, valuesOf } from '../form/form-fields.ts'

type FormRef = RefObject<HTMLFormElement | null>

/** Saves the input and restores it after a reload, a failed payment or an expired session. */
export function useCheckoutDraft(form: FormRef): { save: () => void } {
  useEffect(() => {
    const draft = readDraft<CheckoutValues>('checkout') ?? {}
    fillEmpty(form, Object.fromEntries(Object.entries(draft).filter(([, text]) => typeof text === 'string')))
  }, [])
  return {
    save: () => {
      if (form.current) saveDraft('checkout', valuesOf(form.current, CHECKOUT_FIELDS))
    }
  }
}

export function fillFromProfile(form: FormRef, { name, email, phoneNumber, address }: ProfileDetails): void {
  fillEmpty(form, {
    'customerDetails.email': email,
    'customerDetails.name': name,
    'customerDetails.phone': phoneNumber
  })
  // If the shopper has typed a street, keep the typed address instead of mixing two addresses.
  if (fieldOf(form.current, 'shippingAddress.street')?.value) return
  fillEmpty(form, {
    'shippingAddress.pincode': address.pincode,
    'shippingAddress.apartmentOrSuite': address.apartmentOrSuite,
    'shippingAddress.street': address.street,
    'shippingAddress.city': address.city,
    'shippingAddress.district': address.district,
    'shippingAddress.state': findState(address.state)
  })
}

function fillEmpty(form: FormRef, values: Partial<Record<string, unknown>>): void {
  for (const name of CHECKOUT_FIELDS) {
    const field = fieldOf(form.current, name)
    const text = values[name]
    if (field && field.value === '' && typeof text === 'string') field.value = text
  }
}
