import { useState } from 'react'
import { Field } from './Field.tsx'
import { PasswordAdvice } from './PasswordAdvice.tsx'
import type { FieldState } from './use-form.ts'

interface PasswordFieldProps {
  state: FieldState
  label: string
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField({ state, label, autoComplete }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false)
  const [typed, setTyped] = useState('')
  const action = isVisible ? 'Hide' : 'Show'
  return (
    <Field
      state={state}
      label={label}
      type={isVisible ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      onInput={event => setTyped(event.currentTarget.value)}
      hint={autoComplete === 'new-password' ? <PasswordAdvice password={typed} /> : undefined}
    >
      <button
        type="button"
        className="link target absolute right-1 px-3 text-sm font-semibold"
        aria-label={`${action} ${label.toLowerCase()}`}
        onClick={() => setIsVisible(!isVisible)}
      >
        {action}
      </button>
    </Field>
  )
}
