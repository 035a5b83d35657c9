import { useState, type ReactNode } from 'react'
import { suggestEmail } from '#lib/account/email-typos.ts'
import { emailSuggestionText } from '#lib/messages.ts'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import type { FieldState } from './use-form.ts'

interface EmailFieldProps {
  state: FieldState
  autoComplete: 'username' | 'email'
  maxLength?: number
  hint?: ReactNode
}

export function EmailField({ state, hint, ...input }: EmailFieldProps) {
  const [suggestion, setSuggestion] = useState<string>()
  const accept = (email: string) => {
    const field = document.getElementById(state.id)
    if (!(field instanceof HTMLInputElement)) return
    field.value = email
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  return (
    <Field
      state={state}
      label="Email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      onBlur={({ currentTarget }) => setSuggestion(suggestEmail(currentTarget.value))}
      onInput={() => setSuggestion(undefined)}
      hint={
        suggestion === undefined ? (
          hint
        ) : (
          <Button
            look="link"
            label={emailSuggestionText(suggestion)}
            className="-ml-1 px-1 text-left [overflow-wrap:anywhere]"
            onClick={() => accept(suggestion)}
          />
        )
      }
      {...input}
    />
  )
}
