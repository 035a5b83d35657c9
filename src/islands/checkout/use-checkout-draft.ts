import { useEffect, type RefObject } from 'react'
import { CHECKOUT_FIELDS, type CheckoutValues } from '#lib/checkout/checkout-form.ts'
import { knownState } from '#lib/checkout/states.ts'
import { keepDraft, readDraft } from '#lib/stores/drafts.ts'
import type { ProfileDetails } from '#lib/stores/profile.ts'
import { fieldOf, valuesOf } from '../form/form-fields.ts'

type FormRef = RefObject<HTMLFormElement | null>

/** What was typed outlives a reload, a failed payment and a session that ended. */
export function useCheckoutDraft(form: FormRef): { keep: () => void } {
  useEffect(() => {
    const draft = readDraft<CheckoutValues>('checkout') ?? {}
    fillEmpty(form, Object.fromEntries(Object.entries(draft).filter(([, text]) => typeof text === 'string')))
  }, [])
  return {
    keep: () => {
      if (form.current) keepDraft('checkout', valuesOf(form.current, CHECKOUT_FIELDS))
    }
  }
}

/** Puts what is known of the shopper into the fields that are still empty. */
export function fillFromProfile(form: FormRef, { name, email, phoneNumber, address }: ProfileDetails): void {
  fillEmpty(form, {
    'customerDetails.email': email,
    'customerDetails.name': name,
    'customerDetails.phone': phoneNumber
  })
  // An address of which one line is another's is nobody's.
  if (fieldOf(form.current, 'shippingAddress.street')?.value) return
  fillEmpty(form, {
    'shippingAddress.pincode': address.pincode,
    'shippingAddress.apartmentOrSuite': address.apartmentOrSuite,
    'shippingAddress.street': address.street,
    'shippingAddress.city': address.city,
    'shippingAddress.district': address.district,
    'shippingAddress.state': knownState(address.state)
  })
}

function fillEmpty(form: FormRef, values: Partial<Record<string, unknown>>): void {
  for (const name of CHECKOUT_FIELDS) {
    const field = fieldOf(form.current, name)
    const text = values[name]
    if (field && field.value === '' && typeof text === 'string') field.value = text
  }
}
