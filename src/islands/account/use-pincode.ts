import { useRef, useState, type RefObject } from 'react'
import { removeSpaces } from '#lib/account/forms.ts'
import { fieldOf } from '../ui/use-form.ts'

const FILLED_FIELDS = ['district', 'state'] as const

/**
 * Fills in district and state for a complete pincode, but never replaces typed text. Loads the pincode data on first
 * use.
 */
export function usePincode(
  form: RefObject<HTMLFormElement | null>,
  prefix: 'shippingAddress' | 'address',
  onFilled: () => void
) {
  const [pincodePlace, setPincodePlace] = useState('')
  const filled = useRef<Record<string, string>>({})

  const lookUpPincode = async () => {
    const pincode = removeSpaces(fieldOf(form.current, `${prefix}.pincode`)?.value ?? '')
    if (pincode.length !== 6) return setPincodePlace('')
    const table = await import('#lib/checkout/pincodes.ts').catch(() => undefined)
    const found = table?.findPlace(pincode)
    setPincodePlace([found?.district, found?.state].filter(Boolean).join(', '))
    if (!found || !form.current) return
    for (const name of FILLED_FIELDS) {
      const field = fieldOf(form.current, `${prefix}.${name}`)
      const text = found[name] ?? ''
      if (!field || (field.value !== '' && field.value !== filled.current[name])) continue
      field.value = text
      filled.current[name] = text
    }
    onFilled()
  }

  return { pincodePlace, lookUpPincode }
}
