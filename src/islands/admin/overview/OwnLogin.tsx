import { useStore } from '@nanostores/react'
import {
  isBlank,
  isTypedName,
  toProblems,
  validateEmail,
  validateNewPassword
} from '#lib/account/forms.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import type { SetupGap } from '#lib/contract/names.ts'
import { confirmEmail, setOwnLogin } from '#lib/stores/admin/access.ts'
import { $user } from '#lib/stores/session.ts'
import { $loginCode } from '#lib/stores/sign-in.ts'
import { useVerifiedForm } from '../../account/Verification.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { EmailField, Field, PasswordField } from '../../ui/Field.tsx'
import { useForm } from '../../ui/use-form.ts'

interface OwnLoginProps {
  user: { name: string; email: string }
  missing: readonly SetupGap[]
}

/** In the row of the checklist: what the first start has made up. */
export function OwnLogin({ missing }: Pick<OwnLoginProps, 'missing'>) {
  const user = useStore($user)
  if (!user) return null
  const Form = missing.includes('confirm') ? ConfirmEmail : LoginFields
  return <Form user={user} missing={missing} />
}

function LoginFields({ user, missing }: OwnLoginProps) {
  const [asksEmail, asksPassword] = [missing.includes('email'), missing.includes('password')]
  const { form, field, failure, busy } = useForm<'name' | 'email' | 'password'>({
    names: ['name', 'email', 'password'],
    initial: { name: isTypedName(user) ? user.name : '', email: '', password: '' },
    check: ({ name, email, password }) => ({
      ...(asksEmail && validateEmail(email)),
      ...toProblems({
        name: isBlank(name) && FIELD_TEXTS.nameRequired,
        password: asksPassword && validateNewPassword(password)
      })
    }),
    send: ({ name, email, password }) =>
      setOwnLogin({ name, ...(asksEmail && { email }), ...(asksPassword && { password }) }),
    errorText: { title: t('Your login could not be saved.') }
  })

  return (
    <form {...form} aria-label={t('Your login')} className="grid max-w-md grow gap-3">
      <Field
        state={field('name')}
        label={t('Your name')}
        autoComplete="name"
        maxLength={ACCOUNT_LIMITS.name}
      />
      {asksEmail && <EmailField state={field('email')} autoComplete="username" />}
      {asksPassword && <PasswordField state={field('password')} label={t('New password')} isNew />}
      <Failure failure={failure} busy={busy} />
      <SubmitButton label={t('Save')} busyLabel={t('Saving…')} busy={busy} secondary />
    </form>
  )
}

function ConfirmEmail({ user: { email } }: OwnLoginProps) {
  const isCodeSent = useStore($loginCode)?.email === email
  const { form, failure, busy, verification } = useVerifiedForm({
    account: { email, hasPassword: false },
    send: (_, proof) => confirmEmail(proof),
    errorText: { title: t('Not confirmed') }
  })

  return (
    <form
      {...form}
      aria-label={t('Confirm your email address')}
      className="grid max-w-md grow gap-3"
    >
      <p className="[overflow-wrap:anywhere]">
        {t('Confirm your email address: {email}', { email })}
      </p>
      {verification}
      <Failure failure={failure} busy={busy} />
      {isCodeSent && (
        <SubmitButton label={t('Confirm')} busyLabel={t('Confirming…')} busy={busy} secondary />
      )}
    </form>
  )
}
