import { ADDRESS_LABELS, STATES, type AddressLine } from '#lib/account/address.ts'
import { servedStateText } from '#lib/checkout/messages.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { Field, SelectField } from '../ui/Field.tsx'
import type { FieldState } from '../ui/use-form.ts'

interface AddressFieldsProps {
  field: (name: Exclude<AddressLine, 'landmark'>) => FieldState
  /** District and state of the pincode, or ''. */
  place: string
  onPincode: () => void
  country: string
  /** Only for an order. */
  landmark?: FieldState
  /** The only state to which the shop delivers, or ''. */
  servedState?: string
  /** The specification asks for placeholders in the profile. */
  hasPlaceholders?: boolean
}

/** Asks an address in the order in which it is known: the pincode fills in district and state. */
export function AddressFields(props: AddressFieldsProps) {
  const { field, place, onPincode, country, landmark, servedState = '', hasPlaceholders = false } = props
  const maxLength = ACCOUNT_LIMITS.addressLine
  const line = (name: 'pincode' | 'street' | 'city') => ({ state: field(name), label: ADDRESS_LABELS[name], maxLength })
  const optional = (name: 'apartmentOrSuite' | 'district') => ({
    state: field(name),
    label: `${ADDRESS_LABELS[name]} (optional)`,
    maxLength
  })
  const { initial: savedState = '' } = field('state')
  const states = savedState === '' || STATES.some(state => state === savedState) ? STATES : [savedState, ...STATES]

  return (
    <div className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...line('pincode')}
          inputMode="numeric"
          autoComplete="shipping postal-code"
          maxLength={10}
          onInput={onPincode}
          hint={<span aria-live="polite">{place || '6 digits. We’ll fill in district and state.'}</span>}
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
        <Field {...line('city')} autoComplete="shipping address-level2" />
        <Field
          {...optional('district')}
          placeholder={hasPlaceholders ? 'District (optional)' : undefined}
          autoComplete="shipping address-level3"
        />
        <SelectField
          state={field('state')}
          label={ADDRESS_LABELS.state}
          hint={servedState === '' ? undefined : servedStateText(servedState)}
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
