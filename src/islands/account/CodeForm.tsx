import { removeNonDigits, validateCode } from '#lib/account/forms.ts'
import type { ShopError } from '#lib/errors.ts'
import { ACCOUNT_MESSAGES } from '#lib/account/messages.ts'
import { codeResendText } from '#lib/messages.ts'
import { clearLoginCode, logInWithCode, sendCode, type LoginCode } from '#lib/stores/sign-in.ts'
import { Button } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { useSecondsLeft, type Run } from '../ui/hooks.ts'
import { useForm } from '../ui/use-form.ts'

interface CodeFormProps {
  loginCode: LoginCode
  formLabel: string
  submitLabel: string
  backLabel: string
  onBack: () => void
  onChangeEmail: () => void
  onResent: () => void
  onLoggedIn?: () => void
  quiet?: boolean
}

export function CodeForm({
  loginCode: { email, resendAt },
  formLabel,
  submitLabel,
  backLabel,
  quiet = false,
  ...handlers
}: CodeFormProps) {
  const { form, field, failure, busy, run } = useForm({
    names: ['otp'],
    check: ({ otp }) => {
      const problem = validateCode(otp)
      return problem ? { otp: problem } : {}
    },
    send: async ({ otp }) => {
      await logInWithCode({ email, otp: removeNonDigits(otp) }, { quiet })
      clearLoginCode()
      handlers.onLoggedIn?.()
    },
    errorText: { title: ACCOUNT_MESSAGES.codeInvalidTitle, fallback: ACCOUNT_MESSAGES.codeTryAgain },
    fieldForError: error => (isCodeError(error) ? 'otp' : undefined)
  })

  return (
    <form {...form} className="grid gap-5" aria-label={formLabel}>
      <p>
        We’ve sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.{' '}
        <Button
          look="link"
          label="Change"
          className="px-1"
          aria-label="Change the email"
          onClick={handlers.onChangeEmail}
        />
      </p>
      <CodeField state={field('otp')} onComplete={() => form.ref.current?.requestSubmit()} />
      <Resend email={email} resendAt={resendAt} run={run} quiet={quiet} onSent={handlers.onResent} />
      <Failure failure={failure} hasToast={!quiet} />
      <SubmitButton label={submitLabel} busyLabel="Verifying…" busy={busy} />
      <Button label={backLabel} className="w-full" onClick={handlers.onBack} />
    </form>
  )
}

interface ResendProps {
  email: string
  /** Time at which another code can be requested, in ms since the epoch. */
  resendAt: number
  run: Run
  quiet?: boolean
  /** Must move the focus to another element, because the focused button has disappeared. */
  onSent: () => void
}

export function Resend({ email, resendAt, run, quiet = false, onSent }: ResendProps) {
  const resend = async () => {
    const errorText = { title: ACCOUNT_MESSAGES.codeFailed, fallback: ACCOUNT_MESSAGES.codeTryAgain }
    if (await run(() => sendCode(email, { quiet }), errorText)) onSent()
  }

  const secondsLeft = useSecondsLeft(resendAt)
  return (
    <div className="flex min-h-target items-center text-sm">
      {secondsLeft > 0 ? (
        <p className="text-ink/70">{codeResendText(secondsLeft)}</p>
      ) : (
        <Button
          look="link"
          label="Send a new code"
          className="-ml-1 px-1 font-semibold"
          onClick={() => void resend()}
        />
      )}
    </div>
  )
}

export function isCodeError({ code }: ShopError): boolean {
  return code === 'INVALID_OTP' || code === 'OTP_EXPIRED'
}
