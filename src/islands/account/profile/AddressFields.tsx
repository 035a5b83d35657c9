import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { Field } from '../../form/Field.tsx'
import type { FieldState } from '../../form/use-form.ts'
import type { ProfileValues } from './profile-values.ts'

interface AddressFieldsProps {
  field: (name: keyof ProfileValues) => FieldState
  initial: ProfileValues
  country: string
}

export function AddressFields({ field, initial, country }: AddressFieldsProps) {
  const line = (name: keyof ProfileValues) => ({
    state: field(name),
    defaultValue: initial[name],
    maxLength: ACCOUNT_LIMITS.addressLine
  })

  return (
    <>
      <h3 className="text-lg">Shipping address</h3>
      <Field
        {...line('address.apartmentOrSuite')}
        label="Apartment, suite"
        placeholder="Apartment, suite, etc. (optional)"
        autoComplete="shipping address-line2"
      />
      <Field {...line('address.street')} label="Street" autoComplete="shipping address-line1" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...line('address.pincode')}
          label="Pincode"
          inputMode="numeric"
          autoComplete="shipping postal-code"
          maxLength={20}
        />
        <Field {...line('address.city')} label="City" autoComplete="shipping address-level2" />
        <Field
          {...line('address.district')}
          label="District"
          placeholder="District (optional)"
          autoComplete="shipping address-level3"
        />
        <Field {...line('address.state')} label="State" autoComplete="shipping address-level1" />
      </div>
      <p>
        <b>Country</b> {country}
      </p>
    </>
  )
}
