import { codeResendIn, MESSAGES } from '#lib/messages.ts'
import { sendCode } from '#lib/stores/sent-code.ts'
import type { Run } from '../form/use-attempt.ts'
import { useSecondsLeft } from '../form/use-seconds-left.ts'

interface ResendProps {
  email: string
  /** When another code may be asked for, in ms since the epoch. */
  at: number
  run: Run
  /** The button is gone then, and somebody else must take the focus. */
  onSent: () => void
}

/** Another code, once some time has passed; the count is seen by all and read out to nobody. */
export function Resend({ email, at, run, onSent }: ResendProps) {
  const resend = async () => {
    const failed = { title: MESSAGES.codeFailed, otherwise: MESSAGES.codeTryAgain }
    if (await run(() => sendCode(email), failed)) onSent()
  }

  const left = useSecondsLeft(at)
  return (
    <div className="flex min-h-target items-center text-sm">
      {left > 0 ? (
        <p className="text-ink/70">{codeResendIn(left)}</p>
      ) : (
        <button type="button" className="link target -ml-1 px-1 font-semibold" onClick={() => void resend()}>
          Send another code
        </button>
      )}
    </div>
  )
}
