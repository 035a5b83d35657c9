import { CHECKOUT_LABELS, type CheckoutField } from '#lib/checkout/checkout-form.ts'
import { STATES } from '#lib/checkout/states.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY } from '#lib/constants.ts'
import { Field } from '../form/Field.tsx'
import { SelectField } from '../form/SelectField.tsx'
import type { FieldState } from '../form/use-form.ts'

interface AddressFieldsProps {
  field: (name: CheckoutField) => FieldState
  /** District and state of the pincode, or ''. */
  place: string
  onPincode: () => void
}

export function AddressFields({ field, place, onPincode }: AddressFieldsProps) {
  const line = (name: CheckoutField) => ({
    state: field(name),
    label: CHECKOUT_LABELS[name],
    maxLength: ACCOUNT_LIMITS.addressLine
  })
  const optional = (name: CheckoutField) => ({ ...line(name), label: `${CHECKOUT_LABELS[name]} (optional)` })

  return (
    <div className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...line('shippingAddress.pincode')}
          inputMode="numeric"
          autoComplete="shipping postal-code"
          maxLength={10}
          onInput={onPincode}
          hint={<span aria-live="polite">{place || '6 digits. We’ll fill in district and state.'}</span>}
        />
        <Field {...optional('shippingAddress.apartmentOrSuite')} autoComplete="shipping address-line2" />
      </div>
      <Field {...line('shippingAddress.street')} autoComplete="shipping address-line1" />
      <Field {...optional('shippingAddress.landmark')} autoComplete="off" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...line('shippingAddress.city')} autoComplete="shipping address-level2" />
        <Field {...optional('shippingAddress.district')} autoComplete="shipping address-level3" />
        <SelectField
          state={field('shippingAddress.state')}
          label={CHECKOUT_LABELS['shippingAddress.state']}
          autoComplete="shipping address-level1"
          defaultValue=""
        >
          <option value="">Choose a state</option>
          {STATES.map(state => (
            <option key={state}>{state}</option>
          ))}
        </SelectField>
        <p className="self-end pb-2">
          <span className="mb-1 block font-semibold">Country</span>
          {DEFAULT_COUNTRY}
        </p>
      </div>
    </div>
  )
}
