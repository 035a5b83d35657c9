import { useRef, useState, type RefObject } from 'react'
import { removeSpaces } from '#lib/account-forms.ts'
import { fieldOf } from '../form/form-fields.ts'

const FILLED_FIELDS = ['shippingAddress.district', 'shippingAddress.state'] as const

/**
 * Fills in district and state for a complete pincode, but never replaces typed text. Loads the pincode data on first
 * use.
 */
export function usePincode(form: RefObject<HTMLFormElement | null>, onFilled: () => void) {
  const [pincodePlace, setPincodePlace] = useState('')
  const filled = useRef<Record<string, string>>({})

  const lookUpPincode = async () => {
    const pincode = removeSpaces(fieldOf(form.current, 'shippingAddress.pincode')?.value ?? '')
    if (pincode.length !== 6) return setPincodePlace('')
    const table = await import('#lib/checkout/pincodes.ts').catch(() => undefined)
    const found = table?.findPlace(pincode)
    setPincodePlace([found?.district, found?.state].filter(Boolean).join(', '))
    if (!found || !form.current) return
    for (const [index, name] of FILLED_FIELDS.entries()) {
      const field = fieldOf(form.current, name)
      const text = (index === 0 ? found.district : found.state) ?? ''
      if (!field || (field.value !== '' && field.value !== filled.current[name])) continue
      field.value = text
      filled.current[name] = text
    }
    onFilled()
  }

  return { pincodePlace, lookUpPincode }
}
