import { Field } from '../form/Field.tsx'
import type { FieldState } from '../form/use-form.ts'

export function EmailField({ state, autoComplete }: { state: FieldState; autoComplete: 'username' | 'email' }) {
  return (
    <Field
      state={state}
      label="Email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
