import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { findStateConflict } from '#lib/account/address.ts'
import { removeSpaces } from '#lib/account/forms.ts'
import { PINCODE } from '#lib/constants.ts'
import type { PincodeLookup } from '#lib/delivery/place.ts'
import { $delivery } from '#lib/stores/delivery.ts'
import { fieldOf } from '../ui/use-form.ts'

const FILLED_FIELDS = ['district', 'state'] as const

interface PincodeRules {
  prefix: 'shippingAddress' | 'address'
  ask: (pincode: string) => void
  onFilled: () => void
}

/**
 * Fills in district and state of a complete pincode, and clears them with it, but never what the
 * shopper has typed.
 */
export function usePincode(
  form: RefObject<HTMLFormElement | null>,
  { prefix, ask, onFilled }: PincodeRules
) {
  const delivery = useStore($delivery)
  const [{ pincode, state }, setPresent] = useState({ pincode: '', state: '' })
  const typed = useRef(new Set<string>())
  const lookup = pincode !== '' && delivery.pincode === pincode ? delivery : undefined

  const read = (name: string) => fieldOf(form.current, `${prefix}.${name}`)?.value ?? ''
  const update = () => {
    const present = { pincode: removeSpaces(read('pincode')), state: read('state') }
    if (present.pincode === pincode && present.state === state) return
    setPresent(present)
    if (present.pincode !== pincode && PINCODE.test(present.pincode)) ask(present.pincode)
  }
  const fill = (texts: Partial<Record<string, string>>) => {
    for (const name of FILLED_FIELDS) {
      const field = fieldOf(form.current, `${prefix}.${name}`)
      if (field && !typed.current.has(name)) field.value = texts[name] ?? ''
    }
    onFilled()
  }

  // After each render, because a draft or the profile can have filled in the address.
  useEffect(update)

  const reply = lookup?.reply
  useEffect(() => {
    const isSavedAddress = !typed.current.has('pincode') && read('state') !== ''
    if (!reply || isSavedAddress) return
    const { district, states } = reply
    fill({
      district: read('district') || district,
      state: read('state') || (states.length === 1 ? states[0] : '')
    })
    update()
  }, [reply])

  const onInput = ({ target }: FormEvent) => {
    const name = (target as HTMLInputElement).name.replace(`${prefix}.`, '')
    typed.current.add(name)
    if (name === 'pincode' && removeSpaces(read('pincode')) !== pincode) fill({})
    update()
  }

  return { lookup, conflict: findStateConflict(lookup, pincode, state), onInput }
}

export function pincodeHint(lookup: PincodeLookup | undefined): string {
  if (lookup?.reply) {
    const { isKnown, district, states } = lookup.reply
    if (!isKnown) return 'We don’t know this pincode. Please check it.'
    return [district, states.join(' or ')].filter(Boolean).join(', ')
  }
  if (lookup?.error?.code === 'PINCODE_UNKNOWN') return lookup.error.message
  if (lookup?.error) return 'We couldn’t look up this pincode. Please fill in district and state.'
  return lookup ? 'Looking it up…' : '6 digits. We’ll fill in district and state.'
}
