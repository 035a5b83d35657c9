import { CHECKOUT_LABELS, type CheckoutField } from '#lib/checkout/checkout-form.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY_CODE } from '#lib/constants.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { Field } from '../form/Field.tsx'
import type { FieldState } from '../form/use-form.ts'

export function DetailsFields({ field }: { field: (name: CheckoutField) => FieldState }) {
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
        hint={CHECKOUT_MESSAGES.emailHint}
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
