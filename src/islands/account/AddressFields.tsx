import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useStore } from '@nanostores/react'
import { ADDRESS_LABELS, type AddressLine, findStateConflict } from '#lib/account/address.ts'
import { servedStateText } from '#lib/checkout/messages.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY, PINCODE } from '#lib/constants.ts'
import type { DeliveryReply } from '#lib/contract/delivery.ts'
import { type PincodeLookup, UNKNOWN_PINCODE } from '#lib/delivery/place.ts'
import { t } from '#lib/contract/texts.ts'
import { STATES } from '#lib/contract/states.ts'
import { toDigits } from '#lib/contract/formats.ts'
import { $delivery } from '#lib/stores/delivery.ts'
import { AreaButtons, Field, SelectField } from '../ui/Field.tsx'
import { fieldOf, type FieldState } from '../ui/use-form.ts'

type Place = Partial<Pick<DeliveryReply, 'town' | 'district' | 'areas'>>

interface AddressFieldsProps {
  field: (name: Exclude<AddressLine, 'landmark'>) => FieldState
  lookup: PincodeLookup | undefined
  onArea: (area: string) => void
  conflict: string | undefined
  country: string
  landmark?: FieldState
  servedState?: string | null
  /** The specification asks for placeholders in the profile. */
  hasPlaceholders?: boolean
}

/** The names that people give their town: a village is a post office, a city is a district. */
function suggestTowns({ town = '', district = '', areas = [] }: Place) {
  return [...new Set([town, district, ...areas])].filter(Boolean)
}

export function AddressFields(props: AddressFieldsProps) {
  const {
    field,
    lookup,
    onArea,
    conflict,
    country,
    landmark,
    servedState = '',
    hasPlaceholders = false
  } = props
  const maxLength = ACCOUNT_LIMITS.addressLine
  const line = (name: Exclude<AddressLine, 'landmark'>, isOptional = false) => ({
    state: field(name),
    label: isOptional ? optional(name) : ADDRESS_LABELS[name],
    maxLength
  })
  const towns = useId()
  const { initial: savedState = '' } = field('state')
  const states =
    savedState === '' || STATES.some(state => state === savedState)
      ? STATES
      : [savedState, ...STATES]

  return (
    <div className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...line('pincode')}
          inputMode="numeric"
          autoComplete="shipping postal-code"
          hint={<span aria-live="polite">{pincodeHint(lookup)}</span>}
        />
        <Field
          {...line('apartmentOrSuite', true)}
          placeholder={hasPlaceholders ? t('Apartment, suite, etc. (optional)') : undefined}
          autoComplete="shipping address-line2"
        />
      </div>
      <div>
        <Field {...line('street')} autoComplete="shipping address-line1" />
        <AreaButtons areas={lookup?.reply?.areas} onChoose={onArea} />
      </div>
      {landmark && (
        <Field
          state={landmark}
          label={optional('landmark')}
          maxLength={maxLength}
          autoComplete="off"
        />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...line('city')} autoComplete="shipping address-level2" list={towns} />
        <datalist id={towns}>
          {suggestTowns(lookup?.reply ?? {}).map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field
          {...line('district', true)}
          placeholder={hasPlaceholders ? optional('district') : undefined}
          autoComplete="shipping address-level3"
        />
        <SelectField
          state={field('state')}
          label={ADDRESS_LABELS.state}
          hint={
            <span aria-live="polite">
              {conflict ? (
                <b className="text-chilli">{conflict}</b>
              ) : (
                servedState !== '' && servedStateText(servedState)
              )}
            </span>
          }
          choices={[['', t('Choose a state')], ...states.map(state => [state, state] as const)]}
          autoComplete="shipping address-level1"
        />
        <p className="self-end pb-2">
          <span className="mb-1 block font-semibold">{t('Country')}</span>
          {country === DEFAULT_COUNTRY ? t('India') : country}
        </p>
      </div>
    </div>
  )
}

const FILLED_FIELDS = ['city', 'district', 'state'] as const

interface PincodeRules {
  prefix: 'shippingAddress' | 'address'
  ask: (pincode: string) => void
  onFilled: () => void
}

/** Never overwrites what the shopper has typed. */
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
    const present = { pincode: toDigits(read('pincode')), state: read('state') }
    if (present.pincode === pincode && present.state === state) return
    setPresent(present)
    if (present.pincode !== pincode && PINCODE.test(present.pincode)) ask(present.pincode)
  }
  const isOwnTown = () => {
    const city = read('city')
    return city !== '' && !suggestTowns(lookup?.reply ?? {}).includes(city)
  }
  const fill = (texts: Partial<Record<string, string>>) => {
    for (const name of FILLED_FIELDS) {
      const field = fieldOf(form.current, `${prefix}.${name}`)
      const isTyped = typed.current.has(name) || (name === 'city' && isOwnTown())
      if (field && !isTyped) field.value = texts[name] ?? ''
    }
    onFilled()
  }

  // A draft or the profile can have filled in the address.
  useEffect(update)

  const reply = lookup?.reply
  useEffect(() => {
    const isSavedAddress = !typed.current.has('pincode') && read('state') !== ''
    if (!reply || isSavedAddress) return
    const { town, district, states } = reply
    fill({
      city: read('city') || town,
      district: read('district') || district,
      state: read('state') || (states.length === 1 ? states[0] : '')
    })
    update()
  }, [reply])

  const onInput = ({ target }: FormEvent) => {
    const name = (target as HTMLInputElement).name.replace(`${prefix}.`, '')
    typed.current.add(name)
    if (name === 'pincode' && toDigits(read('pincode')) !== pincode) fill({})
    update()
  }

  const onArea = (area: string) => {
    const street = fieldOf(form.current, `${prefix}.street`)
    if (!street || street.value.includes(area)) return
    street.value = [street.value.trim(), area].filter(Boolean).join(', ')
    onFilled()
  }

  return { lookup, onArea, conflict: findStateConflict(lookup, pincode, state), onInput }
}

function optional(name: AddressLine) {
  return t('{label} (optional)', { label: ADDRESS_LABELS[name] })
}

function pincodeHint(lookup: PincodeLookup | undefined) {
  if (lookup?.reply) {
    const { isKnown, district, states, stateProblem } = lookup.reply
    if (!isKnown) return t(UNKNOWN_PINCODE)
    const place = [district, states.join(` ${t('or')} `)].filter(Boolean).join(', ')
    const armyHint = t(
      'Army post office. Write 56 APO or 99 APO as the city, and choose your state.'
    )
    return place || stateProblem || armyHint
  }
  if (lookup?.error?.code === 'PINCODE_UNKNOWN') return lookup.error.message
  if (lookup?.error) return t('We couldn’t look up this pincode. Please fill in city and state.')
  return t(lookup ? 'Looking it up…' : '6 digits. We’ll fill in city and state.')
}
