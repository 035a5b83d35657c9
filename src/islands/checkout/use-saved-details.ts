import { useStore } from '@nanostores/react'
import { useEffect, useState, type RefObject } from 'react'
import { CHECKOUT_FIELDS, validateCheckout, type CheckoutValues } from '#lib/checkout/checkout-form.ts'
import { readDraft } from '#lib/stores/drafts.ts'
import { $profile, loadProfile } from '#lib/stores/profile.ts'
import type { Session } from '#lib/stores/session.ts'
import { valuesOf } from '../form/form-fields.ts'
import { fillFromProfile } from './use-checkout-draft.ts'

/** Fills the form from the profile. Sets `savedValues` if the profile completes the form and there is no draft. */
export function useSavedDetails(form: RefObject<HTMLFormElement | null>, session: Session) {
  const profile = useStore($profile)
  const [savedValues, setSavedValues] = useState<CheckoutValues>()
  const userId = session.state === 'authenticated' ? session.user._id : undefined

  useEffect(() => {
    if (userId !== undefined) void loadProfile(userId)
  }, [userId])

  useEffect(() => {
    if (userId === undefined || profile.state !== 'ready') return
    const untouched = readDraft('checkout') === undefined
    fillFromProfile(form, profile.details)
    const values = valuesOf(form.current, CHECKOUT_FIELDS)
    const { deliveryDate: _ignored, ...problems } = validateCheckout(values, Date.now())
    if (untouched && Object.keys(problems).length === 0) setSavedValues(values)
  }, [userId, profile.state])

  const waiting = session.state === 'loading' || (userId !== undefined && profile.state === 'loading')
  return { waiting, savedValues, edit: () => setSavedValues(undefined) }
}
