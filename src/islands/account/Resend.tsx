import { codeResendText, MESSAGES } from '#lib/messages.ts'
import { sendCode } from '#lib/stores/login-code.ts'
import type { Run } from '../form/use-attempt.ts'
import { useSecondsLeft } from '../form/use-seconds-left.ts'

interface ResendProps {
  email: string
  /** Time at which another code can be requested, in ms since the epoch. */
  resendAt: number
  run: Run
  /** Must move the focus to another element, because the focused button has disappeared. */
  onSent: () => void
}

export function Resend({ email, resendAt, run, onSent }: ResendProps) {
  const resend = async () => {
    const errorText = { title: MESSAGES.codeFailed, fallback: MESSAGES.codeTryAgain }
    if (await run(() => sendCode(email), errorText)) onSent()
  }

  const secondsLeft = useSecondsLeft(resendAt)
  return (
    <div className="flex min-h-target items-center text-sm">
      {secondsLeft > 0 ? (
        <p className="text-ink/70">{codeResendText(secondsLeft)}</p>
      ) : (
        <button type="button" className="link target -ml-1 px-1 font-semibold" onClick={() => void resend()}>
          Send a new code
        </button>
      )}
    </div>
  )
}
