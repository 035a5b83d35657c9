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
  /** What the form is called, and its button. */
  name: string
  submit: string
  /** The way back, when it is not to change the address. */
  back: string
  onBack: () => void
  onChangeEmail: () => void
  onSentAgain: () => void
  onLoggedIn?: () => void
}

/** Asks for the code that was sent, and logs in with it. */
export function CodeForm({ sent: { email, resendAt }, name, submit, back, ...on }: CodeFormProps) {
  const { form, field, failure, busy, run } = useForm({
    names: ['otp'],
    check: ({ otp }) => {
      const problem = codeProblem(otp)
      return problem ? { otp: problem } : {}
    },
    send: async ({ otp }) => {
      await logInWithCode({ email, otp: codeDigits(otp) })
      forgetCode()
      on.onLoggedIn?.()
    },
    failed: { title: MESSAGES.codeInvalidTitle, otherwise: MESSAGES.codeTryAgain },
    placeOf: error => (isAboutCode(error) ? 'otp' : undefined)
  })

  return (
    <form {...form} className="grid gap-5" aria-label={name}>
      <p>
        We have sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.{' '}
        <button type="button" className="link target px-1" aria-label="Change the email" onClick={on.onChangeEmail}>
          change
        </button>
      </p>
      <CodeField state={field('otp')} label="One-time code" />
      <Resend email={email} at={resendAt} run={run} onSent={on.onSentAgain} />
      <Failure failure={failure} quiet />
      <SubmitButton label={submit} doing="Verifying…" busy={busy} />
      <button type="button" className="button-quiet w-full" onClick={on.onBack}>
        {back}
      </button>
    </form>
  )
}
