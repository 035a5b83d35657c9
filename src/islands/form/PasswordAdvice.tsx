import { useEffect, useState } from 'react'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'

type Advise = (password: string) => string | undefined

const STRONG_LENGTH = 12

/** Says how good a new password is, and never stands in its way. The list of bad ones comes with the first keystroke. */
export function PasswordAdvice({ password }: { password: string }) {
  const [advise, setAdvise] = useState<Advise>()
  const typing = password !== ''
  useEffect(() => {
    if (!typing) return
    let left = false
    void import('#lib/passwords/advice.ts').then(
      ({ passwordAdvice }) => left || setAdvise(() => passwordAdvice),
      () => undefined
    )
    return () => {
      left = true
    }
  }, [typing])

  const long = password.trim().length
  const advice = advise?.(password)
  const word = advice ? 'Weak' : long >= STRONG_LENGTH ? 'Strong' : 'Good'
  const said = advise && long >= ACCOUNT_LIMITS.passwordMin
  return (
    <p aria-live="polite">
      {said ? (
        <>
          <b className={advice ? 'text-chilli' : 'text-leaf'}>{word}.</b> {advice}
        </>
      ) : (
        `At least ${ACCOUNT_LIMITS.passwordMin} characters.`
      )}
    </p>
  )
}
