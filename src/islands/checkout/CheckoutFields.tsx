import { useEffect, useState } from 'react'
import { CHECKOUT_LABELS, type CheckoutField } from '#lib/checkout/checkout-form.ts'
import { CHECKOUT_MESSAGES, deliveryHintText } from '#lib/checkout/messages.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY_CODE } from '#lib/constants.ts'
import { listDays, type Calendar } from '#lib/delivery/calendar.ts'
import { formatDay } from '#lib/order.ts'
import { EmailField } from '../ui/EmailField.tsx'
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
      <EmailField
        {...line('customerDetails.email')}
        autoComplete="email"
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

export function DeliveryField({ state, calendar }: { state: FieldState; calendar: Calendar }) {
  // `now` is updated on focus and on an error, because the earliest delivery date changes at midnight.
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (state.invalid) setNow(Date.now())
  }, [state.invalid])
  const open = listDays(calendar, { now }).filter(({ isOpen }) => isOpen)
  const days = open.map(({ date }) => [date, formatDay(date)] as const)
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
