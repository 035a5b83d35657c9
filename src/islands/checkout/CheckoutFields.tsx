import { useEffect, useState } from 'react'
import { CHECKOUT_LABELS, STATES, type CheckoutField } from '#lib/checkout/checkout-form.ts'
import type { ClosedDays } from '#lib/closed-days.ts'
import { CHECKOUT_MESSAGES, deliveryHintText } from '#lib/checkout/messages.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY, DEFAULT_COUNTRY_CODE } from '#lib/constants.ts'
import { formatDay, listDeliveryDates } from '#lib/order.ts'
import { Field, SelectField } from '../ui/Field.tsx'
import type { FieldState } from '../ui/use-form.ts'

interface DetailsFieldsProps {
  field: (name: CheckoutField) => FieldState
  isGuest: boolean
}

export function DetailsFields({ field, isGuest }: DetailsFieldsProps) {
  const line = (name: CheckoutField) => ({ state: field(name), label: CHECKOUT_LABELS[name] })
  return (
    <div className="grid gap-5">
      <Field
        {...line('customerDetails.email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={ACCOUNT_LIMITS.email}
        hint={isGuest ? CHECKOUT_MESSAGES.emailHintGuest : CHECKOUT_MESSAGES.emailHint}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...line('customerDetails.name')} autoComplete="name" maxLength={ACCOUNT_LIMITS.name} />
        <Field
          {...line('customerDetails.phone')}
          prefix={DEFAULT_COUNTRY_CODE}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={20}
          hint={CHECKOUT_MESSAGES.phoneHint}
        />
      </div>
    </div>
  )
}

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
          choices={[['', 'Choose a state'], ...STATES.map(state => [state, state] as const)]}
          autoComplete="shipping address-level1"
        />
        <p className="self-end pb-2">
          <span className="mb-1 block font-semibold">Country</span>
          {DEFAULT_COUNTRY}
        </p>
      </div>
    </div>
  )
}

export function DeliveryField({ state, closed }: { state: FieldState; closed: ClosedDays }) {
  // `now` is updated on focus and on an error, because the earliest delivery date changes at midnight.
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (state.invalid) setNow(Date.now())
  }, [state.invalid])
  const days = listDeliveryDates(now, closed).map(day => [day, formatDay(day)] as const)
  const [earliest] = days

  return (
    <SelectField
      state={state}
      label={CHECKOUT_LABELS.deliveryDate}
      choices={[['', CHECKOUT_MESSAGES.deliveryAny], ...days]}
      hint={earliest && deliveryHintText(earliest[1])}
      onFocus={() => setNow(Date.now())}
    />
  )
}
