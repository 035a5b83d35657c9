import { codeDigits, codeProblem } from '#lib/account-forms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { forgetCode, type SentCode } from '#lib/stores/sent-code.ts'
import { logInWithCode } from '#lib/stores/session.ts'
import { CodeField } from '../form/CodeField.tsx'
import { Failure } from '../form/Failure.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useForm } from '../form/use-form.ts'
import { isAboutCode } from './is-about-code.ts'
import { Resend } from './Resend.tsx'

interface CodeFormProps {
  sent: SentCode
  /** Back to the password, or to the address to change it. */
  onBack: (to: 'password' | 'email') => void
  onSentAgain: () => void
}

/** Code mode of the login. */
export function CodeForm({ sent: { email, resendAt }, onBack, onSentAgain }: CodeFormProps) {
  const { form, field, failure, busy, run } = useForm({
    names: ['otp'],
    check: ({ otp }) => {
      const problem = codeProblem(otp)
      return problem ? { otp: problem } : {}
    },
    send: async ({ otp }) => {
      await logInWithCode({ email, otp: codeDigits(otp) })
      forgetCode()
    },
    failed: { title: MESSAGES.codeInvalidTitle, otherwise: MESSAGES.codeTryAgain },
    placeOf: error => (isAboutCode(error) ? 'otp' : undefined)
  })

  return (
    <form {...form} className="grid gap-5" aria-label="Login with a code">
      <p>
        We have sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.{' '}
        <button
          type="button"
          className="link target px-1"
          aria-label="Change the email"
          onClick={() => onBack('email')}
        >
          change
        </button>
      </p>
      <CodeField state={field('otp')} label="One-time code" />
      <Resend email={email} at={resendAt} run={run} onSent={onSentAgain} />
      <Failure failure={failure} quiet />
      <SubmitButton label="Verify & Login" doing="Verifying…" busy={busy} />
      <button type="button" className="button-quiet w-full" onClick={() => onBack('password')}>
        Back to Password Login
      </button>
    </form>
  )
}
