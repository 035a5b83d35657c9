import { useState } from 'react'
import { emailProblem, loginProblems } from '#lib/account-forms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { sendCode } from '#lib/stores/sent-code.ts'
import { logIn } from '#lib/stores/session.ts'
import { Failure } from '../form/Failure.tsx'
import { PasswordField } from '../form/PasswordField.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useForm } from '../form/use-form.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import { EmailField } from './EmailField.tsx'

/** Login by password, and the way to the login by a one-time code. */
export function LoginForm({ onCodeSent }: { onCodeSent: () => void }) {
  const hydrated = useHydrated()
  const [sending, setSending] = useState(false)
  const { form, field, failure, busy, accuse, run, values } = useForm({
    names: ['email', 'password'],
    check: loginProblems,
    send: logIn,
    failed: { title: MESSAGES.loginFailed, otherwise: MESSAGES.tryAgain }
  })

  const askForCode = async () => {
    const email = values().email.trim()
    if (busy || accuse(emailProblem(email))) return
    setSending(true)
    const sent = await run(() => sendCode(email), { title: MESSAGES.codeFailed, otherwise: MESSAGES.codeTryAgain })
    setSending(false)
    if (sent) onCodeSent()
  }

  return (
    <form {...form} className="grid gap-5" aria-label="Login">
      <EmailField state={field('email')} autoComplete="username" />
      <PasswordField state={field('password')} label="Password" autoComplete="current-password" />
      <Failure failure={failure} quiet />
      <SubmitButton label="Login" doing="Logging in…" busy={busy && !sending} />
      <div className="border-t border-brass/40 pt-5">
        <button
          type="button"
          className="button-quiet w-full aria-disabled:opacity-60"
          disabled={!hydrated}
          aria-disabled={busy}
          onClick={() => void askForCode()}
        >
          {sending ? 'Sending the code…' : 'Login with OTP'}
        </button>
        <p className="mt-3 text-sm text-ink/70">
          We e-mail you a 6-digit code. You need no password for it, and no account either: your first code opens one.
        </p>
      </div>
    </form>
  )
}
