import { useEffect, useState } from 'react'
import { CHECKOUT_LABELS } from '#lib/checkout/checkout-form.ts'
import { deliveryDates } from '#lib/checkout/delivery-dates.ts'
import { CHECKOUT_MESSAGES, deliveryHint } from '#lib/checkout/messages.ts'
import { deliveryDays, formatDay } from '#lib/delivery.ts'
import { SelectField } from '../form/SelectField.tsx'
import type { FieldState } from '../form/use-form.ts'

export function DeliveryField({ state }: { state: FieldState }) {
  // Refreshed on focus and on an error, because the earliest date changes at midnight.
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (state.invalid) setNow(Date.now())
  }, [state.invalid])

  return (
    <SelectField
      state={state}
      label={CHECKOUT_LABELS.deliveryDate}
      defaultValue=""
      hint={deliveryHint(formatDay(deliveryDays(now).earliest))}
      onFocus={() => setNow(Date.now())}
    >
      <option value="">{CHECKOUT_MESSAGES.deliveryAny}</option>
      {deliveryDates(now).map(day => (
        <option key={day} value={day}>
          {formatDay(day)}
        </option>
      ))}
    </SelectField>
  )
}
