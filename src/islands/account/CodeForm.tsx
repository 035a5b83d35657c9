import { removeNonDigits, toProblems, validateCode } from '#lib/account/forms.ts'
import type { ShopError } from '#lib/errors.ts'
import { codeResendText } from '#lib/messages.ts'
import { readStatus } from '#lib/stores/setup.ts'
import {
  clearLoginCode,
  CODE_NOT_SENT,
  CODE_REFUSED,
  logInWithCode,
  sendCode,
  type LoginCode
} from '#lib/stores/sign-in.ts'
import { Button } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { useLoad, useSecondsLeft, type ErrorText, type Run } from '../ui/hooks.ts'
import { useForm } from '../ui/use-form.ts'

const texts = {
  codeInOutbox:
    'Email is not set up: the code is in the newest file of the folder “outbox” in the shop’s data folder.'
}

interface CodeFormProps {
  loginCode: LoginCode
  formLabel: string
  submitLabel: string
  backLabel: string
  onBack: () => void
  /** Undefined if only the profile can change the address. */
  onChangeEmail: (() => void) | undefined
  onResent: () => void
  onLoggedIn?: () => void
  quiet?: boolean
}

export function CodeForm({
  loginCode,
  formLabel,
  submitLabel,
  backLabel,
  quiet = false,
  ...handlers
}: CodeFormProps) {
  const { email, resendAt } = loginCode
  const { form, field, failure, busy, run } = useCodeForm(async otp => {
    await logInWithCode({ email, otp }, { quiet })
    clearLoginCode()
    handlers.onLoggedIn?.()
  }, CODE_REFUSED)

  return (
    <form {...form} className="grid gap-5" aria-label={formLabel}>
      <p>
        <CodeSentTo email={email} />{' '}
        {handlers.onChangeEmail && (
          <Button
            look="link"
            label="Change"
            className="px-1"
            aria-label="Change the email"
            onClick={handlers.onChangeEmail}
          />
        )}
      </p>
      <CodeField state={field('otp')} onComplete={() => form.ref.current?.requestSubmit()} />
      <Resend
        email={email}
        resendAt={resendAt}
        run={run}
        quiet={quiet}
        onSent={handlers.onResent}
      />
      <Failure failure={failure} busy={busy} hasToast={!quiet} />
      <SubmitButton label={submitLabel} busyLabel="Verifying…" busy={busy} />
      <Button label={backLabel} className="w-full" onClick={handlers.onBack} />
    </form>
  )
}

export function useCodeForm(send: (otp: string) => Promise<void>, errorText: ErrorText) {
  return useForm({
    names: ['otp'],
    check: ({ otp }) => toProblems({ otp: validateCode(otp) }),
    send: ({ otp }) => send(removeNonDigits(otp)),
    errorText,
    fieldForError: error => (isCodeError(error) ? 'otp' : undefined)
  })
}

export function CodeSentTo({ email }: { email: string }) {
  const [status] = useLoad('status', readStatus)
  return (
    <>
      We’ve sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.
      {status.state === 'ready' && status.value.mailNotSetUp && ` ${texts.codeInOutbox}`}
    </>
  )
}

interface ResendProps {
  email: string
  /** Time at which another code can be requested, in ms since the epoch. */
  resendAt: number
  run: Run
  quiet?: boolean
  /** Must move the focus, because the focused button has disappeared. */
  onSent: () => void
}

export function Resend({ email, resendAt, run, quiet = false, onSent }: ResendProps) {
  const resend = async () => {
    if (await run(() => sendCode(email, { quiet }), CODE_NOT_SENT)) onSent()
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
