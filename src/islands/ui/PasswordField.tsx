import { useEffect, useState } from 'react'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
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
      <Button
        look="link"
        label={action}
        className="absolute right-1 px-3 text-sm font-semibold"
        aria-label={`${action} ${label.toLowerCase()}`}
        onClick={() => setIsVisible(!isVisible)}
      />
    </Field>
  )
}

type Advise = (password: string) => string | undefined

const STRONG_LENGTH = 12

/** Loads the list of common passwords on the first keystroke. */
function PasswordAdvice({ password }: { password: string }) {
  const [advise, setAdvise] = useState<Advise>()
  const isTyping = password !== ''
  useEffect(() => {
    if (!isTyping) return
    let cancelled = false
    void import('#lib/account/passwords.ts').then(
      ({ findPasswordAdvice: passwordAdvice }) => cancelled || setAdvise(() => passwordAdvice),
      () => undefined
    )
    return () => {
      cancelled = true
    }
  }, [isTyping])

  const length = password.trim().length
  const advice = advise?.(password)
  const rating = advice ? 'Weak' : length >= STRONG_LENGTH ? 'Strong' : 'Good'
  const showRating = advise && length >= ACCOUNT_LIMITS.passwordMin
  return (
    <p aria-live="polite">
      {showRating ? (
        <>
          <b className={advice ? 'text-chilli' : 'text-leaf'}>{rating}.</b> {advice}
        </>
      ) : (
        `At least ${ACCOUNT_LIMITS.passwordMin} characters.`
      )}
    </p>
  )
}
