import { removeNonDigits, validateCode } from '#lib/account-forms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { clearLoginCode, type LoginCode } from '#lib/stores/login-code.ts'
import { logInWithCode } from '#lib/stores/session.ts'
import { CodeField } from '../form/CodeField.tsx'
import { Failure } from '../form/Failure.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useForm } from '../form/use-form.ts'
import { isCodeError } from './is-code-error.ts'
import { Resend } from './Resend.tsx'

interface CodeFormProps {
  loginCode: LoginCode
  formLabel: string
  submitLabel: string
  backLabel: string
  onBack: () => void
  onChangeEmail: () => void
  onResent: () => void
  onLoggedIn?: () => void
}

export function CodeForm({
  loginCode: { email, resendAt },
  formLabel,
  submitLabel,
  backLabel,
  ...handlers
}: CodeFormProps) {
  const { form, field, failure, busy, run } = useForm({
    names: ['otp'],
    check: ({ otp }) => {
      const problem = validateCode(otp)
      return problem ? { otp: problem } : {}
    },
    send: async ({ otp }) => {
      await logInWithCode({ email, otp: removeNonDigits(otp) })
      clearLoginCode()
      handlers.onLoggedIn?.()
    },
    errorText: { title: MESSAGES.codeInvalidTitle, fallback: MESSAGES.codeTryAgain },
    fieldForError: error => (isCodeError(error) ? 'otp' : undefined)
  })

  return (
    <form {...form} className="grid gap-5" aria-label={formLabel}>
      <p>
        We’ve sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.{' '}
        <button
          type="button"
          className="link target px-1"
          aria-label="Change the email"
          onClick={handlers.onChangeEmail}
        >
          Change
        </button>
      </p>
      <CodeField state={field('otp')} label="One-time code" />
      <Resend email={email} resendAt={resendAt} run={run} onSent={handlers.onResent} />
      <Failure failure={failure} hasToast />
      <SubmitButton label={submitLabel} busyLabel="Verifying…" busy={busy} />
      <button type="button" className="button-quiet w-full" onClick={handlers.onBack}>
        {backLabel}
      </button>
    </form>
  )
}
