import { useEffect, useState } from 'react'
import { CHECKOUT_LABELS } from '#lib/checkout/checkout-form.ts'
import { listDeliveryDates } from '#lib/checkout/delivery-dates.ts'
import { CHECKOUT_MESSAGES, deliveryHintText } from '#lib/checkout/messages.ts'
import { toDeliveryWindow, formatDay } from '#lib/delivery.ts'
import { SelectField } from '../form/SelectField.tsx'
import type { FieldState } from '../form/use-form.ts'

export function DeliveryField({ state }: { state: FieldState }) {
  // `now` is updated on focus and on an error, because the earliest delivery date changes at midnight.
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (state.invalid) setNow(Date.now())
  }, [state.invalid])

  return (
    <SelectField
      state={state}
      label={CHECKOUT_LABELS.deliveryDate}
      defaultValue=""
      hint={deliveryHintText(formatDay(toDeliveryWindow(now).earliest))}
      onFocus={() => setNow(Date.now())}
    >
      <option value="">{CHECKOUT_MESSAGES.deliveryAny}</option>
      {listDeliveryDates(now).map(day => (
        <option key={day} value={day}>
          {formatDay(day)}
        </option>
      ))}
    </SelectField>
  )
}
