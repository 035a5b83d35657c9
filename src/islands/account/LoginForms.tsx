import { useState } from 'react'
import { validateEmail, validateLogin, validateRegistration } from '#lib/account/forms.ts'
import { normalizeEmail } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { CODE_NOT_SENT, logIn, register, sendCode } from '#lib/stores/sign-in.ts'
import { Button } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { EmailField, Field, PasswordField } from '../ui/Field.tsx'
import { useHydrated } from '../ui/hooks.ts'
import { useForm } from '../ui/use-form.ts'

export function LoginForm({ onCodeSent }: { onCodeSent: () => void }) {
  const hydrated = useHydrated()
  const [sending, setSending] = useState(false)
  const { form, field, failure, busy, showProblems, run, values } = useForm({
    names: ['email', 'password'],
    check: validateLogin,
    send: logIn,
    errorText: { title: MESSAGES.loginFailed }
  })

  const requestCode = async () => {
    const email = normalizeEmail(values().email)
    if (busy || showProblems(validateEmail(email))) return
    setSending(true)
    const sent = await run(() => sendCode(email), CODE_NOT_SENT)
    setSending(false)
    if (sent) onCodeSent()
  }

  return (
    <form {...form} className="grid gap-5" aria-label={t('Login')}>
      <EmailField state={field('email')} autoComplete="username" />
      <PasswordField state={field('password')} label={t('Password')} />
      <Button
        look="link"
        label={t('Forgot password?')}
        className="-my-3 -ml-1 justify-self-start px-1"
        disabled={!hydrated}
        onClick={() => void requestCode()}
      />
      <Failure failure={failure} busy={busy} hasToast>
        {failure?.title === MESSAGES.loginFailed && (
          <Button
            look="link"
            label={t('Login with OTP instead')}
            className="-ml-1 px-1"
            onClick={() => void requestCode()}
          />
        )}
      </Failure>
      <SubmitButton label={t('Login')} busyLabel={t('Logging in…')} busy={busy && !sending} />
      <div className="border-t border-brass/40 pt-5">
        <Button
          label={t(sending ? 'Sending code…' : 'Login with OTP')}
          className="w-full"
          disabled={!hydrated}
          busy={busy}
          onClick={() => void requestCode()}
        />
        <p className="mt-3 text-sm text-ink/70">
          {t(
            'We’ll email you a 6-digit code. No password needed. ' +
              'New here? The code creates your account.'
          )}
        </p>
      </div>
    </form>
  )
}

export function RegisterForm() {
  const { form, field, failure, busy } = useForm({
    names: ['displayName', 'email', 'password'],
    check: validateRegistration,
    send: register,
    errorText: { title: t('Registration failed') }
  })

  return (
    <form {...form} className="grid gap-5" aria-label={t('Register')}>
      <Field state={field('displayName')} label={t('Name')} type="text" autoComplete="name" />
      <EmailField state={field('email')} autoComplete="email" />
      <PasswordField state={field('password')} label={t('Password')} isNew />
      <Failure failure={failure} busy={busy} hasToast />
      <SubmitButton label={t('Register')} busyLabel={t('Registering…')} busy={busy} />
    </form>
  )
}
