import { useState } from 'react'
import { removeNonDigits, validateCode, validateEmail } from '#lib/account/forms.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { ACCOUNT_MESSAGES } from '#lib/account/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { changeEmail, readEmailChange, requestEmailChange, stopEmailChange } from '#lib/stores/account.ts'
import { readStatus } from '#lib/stores/setup.ts'
import { Button } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Field } from '../ui/Field.tsx'
import { useLoad } from '../ui/hooks.ts'
import { useForm } from '../ui/use-form.ts'
import { isCodeError } from './CodeForm.tsx'
import { useVerification, VERIFICATION_FIELDS, VerificationFields } from './Verification.tsx'

const ERROR_TEXT = { title: ACCOUNT_MESSAGES.emailNotChanged, fallback: MESSAGES.tryAgain }

interface EmailChangeProps {
  email: string
  hasPassword: boolean
  onDone: () => void
}

export function EmailChange({ email, hasPassword, onDone }: EmailChangeProps) {
  const [newEmail, setNewEmail] = useState(readEmailChange)
  const restart = () => {
    stopEmailChange()
    setNewEmail(undefined)
  }
  return newEmail === undefined ? (
    <AddressForm email={email} hasPassword={hasPassword} onSent={setNewEmail} />
  ) : (
    <CodeForm newEmail={newEmail} onRestart={restart} onDone={onDone} />
  )
}

interface AddressFormProps {
  email: string
  hasPassword: boolean
  onSent: (newEmail: string) => void
}

function AddressForm({ email, hasPassword, onSent }: AddressFormProps) {
  const verification = useVerification(hasPassword)
  const { form, field, failure, busy, run } = useForm({
    names: ['email', ...VERIFICATION_FIELDS],
    check: values => ({ ...validateEmail(values.email), ...verification.checkCredential(values) }),
    send: async values => {
      const newEmail = values.email.trim()
      await requestEmailChange({ email: newEmail, proof: verification.toCredential(values) })
      onSent(newEmail)
    },
    errorText: ERROR_TEXT,
    fieldForError: verification.fieldForError
  })

  return (
    <form {...form} className="grid gap-5" aria-label="Change email address">
      <p>We’ll send a code to the new address. You stay logged in here and will be logged out on all other devices.</p>
      <Field
        state={field('email')}
        label="New email address"
        type="email"
        autoComplete="off"
        maxLength={ACCOUNT_LIMITS.email}
      />
      <VerificationFields verification={verification} email={email} hasPassword={hasPassword} field={field} run={run} />
      <Failure failure={failure} />
      <SubmitButton label="Send code" busyLabel="Sending…" busy={busy} secondary />
    </form>
  )
}

interface CodeFormProps {
  newEmail: string
  onRestart: () => void
  onDone: () => void
}

function CodeForm({ newEmail, onRestart, onDone }: CodeFormProps) {
  const [status] = useLoad('status', readStatus)
  const { form, field, failure, busy } = useForm({
    names: ['otp'],
    check: ({ otp }) => {
      const problem = validateCode(otp)
      return problem ? { otp: problem } : {}
    },
    send: async ({ otp }) => {
      await changeEmail({ email: newEmail, otp: removeNonDigits(otp) })
      onDone()
    },
    errorText: ERROR_TEXT,
    fieldForError: error => (isCodeError(error) ? 'otp' : undefined)
  })

  return (
    <form {...form} className="grid gap-5" aria-label="Enter the code">
      <p>
        We’ve sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{newEmail}</b>.{' '}
        {status.state === 'ready' && status.value.mailNotSetUp && ACCOUNT_MESSAGES.codeInOutbox}
      </p>
      <CodeField state={field('otp')} />
      <Failure failure={failure} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton label="Change email address" busyLabel="Saving…" busy={busy} secondary />
        <Button label="Start again" onClick={onRestart} />
      </div>
    </form>
  )
}
