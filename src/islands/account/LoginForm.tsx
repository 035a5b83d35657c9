import { useState } from 'react'
import { validateEmail, validateLogin } from '#lib/account-forms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { sendCode } from '#lib/stores/login-code.ts'
import { logIn } from '#lib/stores/session.ts'
import { Failure } from '../form/Failure.tsx'
import { PasswordField } from '../form/PasswordField.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useForm } from '../form/use-form.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import { EmailField } from './EmailField.tsx'

export function LoginForm({ onCodeSent }: { onCodeSent: () => void }) {
  const hydrated = useHydrated()
  const [sending, setSending] = useState(false)
  const { form, field, failure, busy, showProblems, run, values } = useForm({
    names: ['email', 'password'],
    check: validateLogin,
    send: logIn,
    errorText: { title: MESSAGES.loginFailed, fallback: MESSAGES.tryAgain }
  })

  const requestCode = async () => {
    const email = values().email.trim()
    if (busy || showProblems(validateEmail(email))) return
    setSending(true)
    const sent = await run(() => sendCode(email), { title: MESSAGES.codeFailed, fallback: MESSAGES.codeTryAgain })
    setSending(false)
    if (sent) onCodeSent()
  }

  return (
    <form {...form} className="grid gap-5" aria-label="Login">
      <EmailField state={field('email')} autoComplete="username" />
      <PasswordField state={field('password')} label="Password" autoComplete="current-password" />
      <Failure failure={failure} hasToast />
      <SubmitButton label="Login" busyLabel="Logging in…" busy={busy && !sending} />
      <div className="border-t border-brass/40 pt-5">
        <button
          type="button"
          className="button-quiet w-full aria-disabled:opacity-60"
          disabled={!hydrated}
          aria-disabled={busy}
          onClick={() => void requestCode()}
        >
          {sending ? 'Sending code…' : 'Login with OTP'}
        </button>
        <p className="mt-3 text-sm text-ink/70">
          We’ll e-mail you a 6-digit code. No password needed. New here? The code creates your account.
        </p>
      </div>
    </form>
  )
}
