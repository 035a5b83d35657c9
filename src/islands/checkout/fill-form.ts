import { useStore } from '@nanostores/react'
import { useEffect, useState, type RefObject } from 'react'
import { isTypedName, toGroup } from '#lib/account/forms.ts'
import { readDraft, saveDraft } from '#lib/browser.ts'
import {
  CHECKOUT_FIELDS,
  validateCheckout,
  type CheckoutValues
} from '#lib/checkout/checkout-form.ts'
import { $profile, loadProfile, type ProfileDetails } from '#lib/stores/account.ts'
import { $pincode } from '#lib/stores/delivery.ts'
import type { SessionState } from '#lib/stores/session.ts'
import { findState } from '#lib/contract/states.ts'
import { fieldOf, fillFields, valuesOf } from '../ui/use-form.ts'

type FormRef = RefObject<HTMLFormElement | null>

export function useCheckoutDraft(form: FormRef): { save: () => void } {
  useEffect(() => {
    const draft = readDraft<CheckoutValues>('checkout') ?? {}
    fillEmpty(
      form,
      Object.fromEntries(Object.entries(draft).filter(([, text]) => typeof text === 'string'))
    )
  }, [])
  return {
    save: () => {
      if (form.current) saveDraft('checkout', valuesOf(form.current, CHECKOUT_FIELDS))
    }
  }
}

function fillFromProfile(
  form: FormRef,
  { name, email, phoneNumber, address }: ProfileDetails
): void {
  fillEmpty(form, {
    'customerDetails.email': email,
    'customerDetails.name': isTypedName({ name, email }) ? name : '',
    'customerDetails.phone': phoneNumber
  })
  // If the shopper has typed a street, keep the typed address instead of mixing two addresses.
  if (fieldOf(form.current, 'shippingAddress.street')?.value) return
  // The remembered pincode can be that of another address.
  if (address.street !== '' && address.pincode !== '')
    fillFields(form.current, {
      'shippingAddress.pincode': '',
      'shippingAddress.district': '',
      'shippingAddress.state': ''
    })
  const state = findState(address.state)
  fillEmpty(form, toGroup({ ...address, state }, 'shippingAddress'))
}

function fillEmpty(form: FormRef, values: Partial<Record<string, unknown>>): void {
  for (const name of CHECKOUT_FIELDS) {
    const field = fieldOf(form.current, name)
    const text = values[name]
    if (field && field.value === '' && typeof text === 'string') field.value = text
  }
}

export function useProfile(session: SessionState) {
  const userId = session.state === 'authenticated' ? session.user._id : undefined
  useEffect(() => {
    if (userId !== undefined) void loadProfile(userId)
  }, [userId])
  return { userId, profile: useStore($profile) }
}

export function useSavedDetails(form: FormRef, session: SessionState) {
  const { userId, profile } = useProfile(session)
  const [savedValues, setSavedValues] = useState<CheckoutValues>()

  useEffect(() => {
    if (userId === undefined || profile.state !== 'ready') return
    const untouched = readDraft('checkout') === undefined
    fillFromProfile(form, profile.value)
    const values = valuesOf(form.current, CHECKOUT_FIELDS)
    const problems = validateCheckout({ ...values, deliveryDate: '', eventAt: '' }, { days: [] })
    if (untouched && Object.keys(problems).length === 0) setSavedValues(values)
  }, [userId, profile.state])

  const waiting =
    session.state === 'loading' || (userId !== undefined && profile.state === 'loading')
  useEffect(() => {
    if (!waiting) fillEmpty(form, { 'shippingAddress.pincode': $pincode.get() })
  }, [waiting])

  return { waiting, savedValues, edit: () => setSavedValues(undefined) }
}
