import { newPasswordProblem } from '#lib/account-forms.ts'
import { MESSAGES } from '#lib/messages.ts'
import { changePassword } from '#lib/stores/account.ts'
import { Failure } from '../../form/Failure.tsx'
import { PasswordField } from '../../form/PasswordField.tsx'
import { SubmitButton } from '../../form/SubmitButton.tsx'
import { useForm } from '../../form/use-form.ts'
import { ProofFields } from './ProofFields.tsx'
import { PROOF_FIELDS, useProof } from './use-proof.ts'

interface PasswordFormProps {
  email: string
  hasPassword: boolean
  onDone: () => void
}

export function PasswordForm({ email, hasPassword, onDone }: PasswordFormProps) {
  const { way, setWay, problems, proof, placeOf } = useProof(hasPassword)
  const { form, field, failure, busy, run } = useForm({
    names: ['password', ...PROOF_FIELDS],
    check: values => {
      const password = newPasswordProblem(values.password)
      return { ...(password && { password }), ...problems(values) }
    },
    send: async values => {
      await changePassword({ password: values.password, proof: proof(values) })
      onDone()
    },
    failed: { title: MESSAGES.passwordNotChanged, otherwise: MESSAGES.tryAgain },
    placeOf
  })

  return (
    <form {...form} className="grid gap-5" aria-label={hasPassword ? 'Change password' : 'Set a password'}>
      <p>You stay logged in here, and are logged out everywhere else.</p>
      {/* Tells password managers whose password it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField state={field('password')} label="New password" autoComplete="new-password" />
      <ProofFields {...{ email, hasPassword, way, field, run }} onWay={setWay} />
      <Failure failure={failure} />
      <SubmitButton label="Save the password" doing="Saving…" busy={busy} quiet />
    </form>
  )
}
