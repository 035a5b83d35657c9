import { useEffect, useRef, useState } from 'react'
import { api } from '#lib/api.ts'
import { PINCODE } from '#lib/constants.ts'
import { removeSpaces } from '#lib/contract/formats.ts'
import { AreaButtons } from '../../ui/Field.tsx'
import type { RecordFormState } from '../ui/use-record-form.ts'

const [CITY, STATE] = ['address.city', 'address.state']

/** Also fills in city and state of a changed pincode, except for what was typed. */
export function ShopAreas({ form: { typed, fill } }: { form: RecordFormState }) {
  const pincode = removeSpaces(String(typed['address.pincode'] ?? ''))
  const [areas, setAreas] = useState<readonly string[]>([])
  const initial = useRef(pincode)
  const filled = useRef(typed)
  const latest = useRef(typed)
  latest.current = typed
  useEffect(() => {
    let isCurrent = true
    setAreas([])
    const ask = async () => {
      const place = await api('GET /delivery', { query: { pincode } })
      if (!isCurrent) return
      setAreas(place.areas)
      if (pincode === initial.current) return
      initial.current = ''
      const state = place.states.length === 1 ? place.states[0] : ''
      const names = [CITY, STATE].filter(name =>
        ['', filled.current[name]].includes(latest.current[name])
      )
      filled.current = { [CITY]: place.town, [STATE]: state }
      fill(Object.fromEntries(names.map(name => [name, filled.current[name]])))
    }
    // Without a reply, city and state are typed.
    if (PINCODE.test(pincode)) ask().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [pincode])
  return <AreaButtons areas={areas} onChoose={area => fill({ 'address.area': area })} />
}
