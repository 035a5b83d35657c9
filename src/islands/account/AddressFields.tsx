import { useId } from 'react'
import { ADDRESS_LABELS, type AddressLine } from '#lib/account/address.ts'
import { servedStateText } from '#lib/checkout/messages.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import type { PincodeLookup } from '#lib/delivery/place.ts'
import { STATES } from '#lib/tax/states.ts'
import { Field, SelectField } from '../ui/Field.tsx'
import type { FieldState } from '../ui/use-form.ts'
import { pincodeHint } from './use-pincode.ts'

interface AddressFieldsProps {
  field: (name: Exclude<AddressLine, 'landmark'>) => FieldState
  lookup: PincodeLookup | undefined
  conflict: string | undefined
  country: string
  landmark?: FieldState
  servedState?: string | null
  /** The specification asks for placeholders in the profile. */
  hasPlaceholders?: boolean
}

/** The names that people give their town: a village is a post office, a city is a district. */
function suggestTowns(lookup: PincodeLookup | undefined): string[] {
  const { district = '', areas = [] } = lookup?.reply ?? {}
  return [...new Set([district, ...areas])].filter(Boolean)
}

export function AddressFields(props: AddressFieldsProps) {
  const {
    field,
    lookup,
    conflict,
    country,
    landmark,
    servedState = '',
    hasPlaceholders = false
  } = props
  const maxLength = ACCOUNT_LIMITS.addressLine
  const line = (name: 'pincode' | 'street' | 'city') => ({
    state: field(name),
    label: ADDRESS_LABELS[name],
    maxLength
  })
  const optional = (name: 'apartmentOrSuite' | 'district') => ({
    state: field(name),
    label: `${ADDRESS_LABELS[name]} (optional)`,
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
          maxLength={10}
          hint={<span aria-live="polite">{pincodeHint(lookup)}</span>}
        />
        <Field
          {...optional('apartmentOrSuite')}
          placeholder={hasPlaceholders ? 'Apartment, suite, etc. (optional)' : undefined}
          autoComplete="shipping address-line2"
        />
      </div>
      <Field {...line('street')} autoComplete="shipping address-line1" />
      {landmark && (
        <Field
          state={landmark}
          label={`${ADDRESS_LABELS.landmark} (optional)`}
          maxLength={maxLength}
          autoComplete="off"
        />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...line('city')} autoComplete="shipping address-level2" list={towns} />
        <datalist id={towns}>
          {suggestTowns(lookup).map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field
          {...optional('district')}
          placeholder={hasPlaceholders ? 'District (optional)' : undefined}
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
          choices={[['', 'Choose a state'], ...states.map(state => [state, state] as const)]}
          autoComplete="shipping address-level1"
        />
        <p className="self-end pb-2">
          <span className="mb-1 block font-semibold">Country</span>
          {country}
        </p>
      </div>
    </div>
  )
}
