import { useEffect, useRef } from 'react'
import { api } from '#lib/api.ts'
import { PINCODE } from '#lib/constants.ts'
import { toDigits } from '#lib/contract/formats.ts'
import { AreaButtons } from '../../ui/Field.tsx'
import { useLoad } from '../../ui/hooks.ts'
import type { RecordFormState } from '../ui/use-record-form.ts'

const [CITY, STATE] = ['address.city', 'address.state']

/** Fills in city and state when the pincode changes. What the owner has typed stays. */
export function ShopAreas({ form: { typed, fill } }: { form: RecordFormState }) {
  const pincode = toDigits(String(typed['address.pincode'] ?? ''))
  const initial = useRef(pincode)
  const filled = useRef(typed)
  const [result] = useLoad(pincode, async () =>
    PINCODE.test(pincode) ? api('GET /delivery', { query: { pincode } }) : undefined
  )
  // Without a reply, city and state are typed.
  const place = result.state === 'ready' ? result.value : undefined
  useEffect(() => {
    if (!place || pincode === initial.current) return
    initial.current = ''
    const state = place.states.length === 1 ? place.states[0] : ''
    const names = [CITY, STATE].filter(name => ['', filled.current[name]].includes(typed[name]))
    filled.current = { [CITY]: place.town, [STATE]: state }
    fill(Object.fromEntries(names.map(name => [name, filled.current[name]])))
  }, [place])
  return <AreaButtons areas={place?.areas} onChoose={area => fill({ 'address.area': area })} />
}
