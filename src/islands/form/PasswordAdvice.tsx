import { useEffect, useState } from 'react'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'

type Advise = (password: string) => string | undefined

const STRONG_LENGTH = 12

/** Rates the password but never blocks the form. The list of common passwords is loaded on the first keystroke. */
export function PasswordAdvice({ password }: { password: string }) {
  const [advise, setAdvise] = useState<Advise>()
  const isTyping = password !== ''
  useEffect(() => {
    if (!isTyping) return
    let cancelled = false
    void import('#lib/passwords/advice.ts').then(
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
