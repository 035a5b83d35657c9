import { codeResendIn, MESSAGES } from '#lib/messages.ts'
import { sendCode } from '#lib/stores/login-code.ts'
import type { Run } from '../form/use-attempt.ts'
import { useSecondsLeft } from '../form/use-seconds-left.ts'

interface ResendProps {
  email: string
  /** When another code may be requested, in ms since the epoch. */
  resendAt: number
  run: Run
  /** The button is gone by then, so this must move the focus. */
  onSent: () => void
}

export function Resend({ email, resendAt, run, onSent }: ResendProps) {
  const resend = async () => {
    const failed = { title: MESSAGES.codeFailed, fallback: MESSAGES.codeTryAgain }
    if (await run(() => sendCode(email), failed)) onSent()
  }

  const left = useSecondsLeft(resendAt)
  return (
    <div className="flex min-h-target items-center text-sm">
      {left > 0 ? (
        <p className="text-ink/70">{codeResendIn(left)}</p>
      ) : (
        <button type="button" className="link target -ml-1 px-1 font-semibold" onClick={() => void resend()}>
          Send a new code
        </button>
      )}
    </div>
  )
}
