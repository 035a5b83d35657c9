import { validateRegistration } from '#lib/account-forms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { register } from '#lib/stores/session.ts'
import { Failure } from '../form/Failure.tsx'
import { Field } from '../form/Field.tsx'
import { PasswordField } from '../form/PasswordField.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useForm } from '../form/use-form.ts'
import { EmailField } from './EmailField.tsx'

export function RegisterForm() {
  const { form, field, failure, busy } = useForm({
    names: ['displayName', 'email', 'password'],
    check: validateRegistration,
    send: register,
    errorText: { title: MESSAGES.registrationFailed, fallback: MESSAGES.tryAgain }
  })

  return (
    <form {...form} className="grid gap-5" aria-label="Register">
      <Field state={field('displayName')} label="Name" type="text" autoComplete="name" />
      <EmailField state={field('email')} autoComplete="email" />
      <PasswordField state={field('password')} label="Password" autoComplete="new-password" />
      <Failure failure={failure} hasToast />
      <SubmitButton label="Register" busyLabel="Registering…" busy={busy} />
    </form>
  )
}
