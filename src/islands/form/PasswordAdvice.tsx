import { useEffect, useState } from 'react'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'

type Advise = (password: string) => string | undefined

const STRONG_LENGTH = 12

/** Only advice; never blocks the form. The password list is loaded on the first keystroke. */
export function PasswordAdvice({ password }: { password: string }) {
  const [advise, setAdvise] = useState<Advise>()
  const typing = password !== ''
  useEffect(() => {
    if (!typing) return
    let cancelled = false
    void import('#lib/passwords/advice.ts').then(
      ({ passwordAdvice }) => cancelled || setAdvise(() => passwordAdvice),
      () => undefined
    )
    return () => {
      cancelled = true
    }
  }, [typing])

  const long = password.trim().length
  const advice = advise?.(password)
  const rating = advice ? 'Weak' : long >= STRONG_LENGTH ? 'Strong' : 'Good'
  const showRating = advise && long >= ACCOUNT_LIMITS.passwordMin
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
