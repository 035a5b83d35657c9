import { validateNewPassword } from '#lib/account-forms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { changePassword } from '#lib/stores/account.ts'
import { Failure } from '../../form/Failure.tsx'
import { PasswordField } from '../../form/PasswordField.tsx'
import { SubmitButton } from '../../form/SubmitButton.tsx'
import { useForm } from '../../form/use-form.ts'
import { VerificationFields } from './VerificationFields.tsx'
import { VERIFICATION_FIELDS, useVerification } from './use-verification.ts'

interface PasswordFormProps {
  email: string
  hasPassword: boolean
  onDone: () => void
}

export function PasswordForm({ email, hasPassword, onDone }: PasswordFormProps) {
  const { method, setMethod, checkCredential, toCredential, fieldForError } = useVerification(hasPassword)
  const { form, field, failure, busy, run } = useForm({
    names: ['password', ...VERIFICATION_FIELDS],
    check: values => {
      const password = validateNewPassword(values.password)
      return { ...(password && { password }), ...checkCredential(values) }
    },
    send: async values => {
      await changePassword({ password: values.password, proof: toCredential(values) })
      onDone()
    },
    errorText: { title: MESSAGES.passwordNotChanged, fallback: MESSAGES.tryAgain },
    fieldForError
  })

  return (
    <form {...form} className="grid gap-5" aria-label={hasPassword ? 'Change password' : 'Set a password'}>
      <p>You stay logged in here and will be logged out on all other devices.</p>
      {/* Password managers read the account's name from this hidden input. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField state={field('password')} label="New password" autoComplete="new-password" />
      <VerificationFields
        email={email}
        hasPassword={hasPassword}
        method={method}
        onMethod={setMethod}
        field={field}
        run={run}
      />
      <Failure failure={failure} />
      <SubmitButton label="Save password" busyLabel="Saving…" busy={busy} secondary />
    </form>
  )
}
