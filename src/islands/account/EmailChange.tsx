import { useState } from 'react'
import { validateEmail } from '#lib/account/forms.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { ACCOUNT_MESSAGES } from '#lib/account/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import {
  changeEmail,
  readEmailChange,
  requestEmailChange,
  stopEmailChange
} from '#lib/stores/account.ts'
import { Button } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Field } from '../ui/Field.tsx'
import { CodeSent, useCodeForm } from './CodeForm.tsx'
import { useVerifiedForm, type Account } from './Verification.tsx'

const ERROR_TEXT = { title: ACCOUNT_MESSAGES.emailNotChanged, fallback: MESSAGES.tryAgain }

interface EmailChangeProps {
  account: Account
  onDone: () => void
}

export function EmailChange({ account, onDone }: EmailChangeProps) {
  const [newEmail, setNewEmail] = useState(readEmailChange)
  const restart = () => {
    stopEmailChange()
    setNewEmail(undefined)
  }
  return newEmail === undefined ? (
    <AddressForm account={account} onSent={setNewEmail} />
  ) : (
    <CodeForm newEmail={newEmail} onRestart={restart} onDone={onDone} />
  )
}

function AddressForm({
  account,
  onSent
}: {
  account: Account
  onSent: (newEmail: string) => void
}) {
  const { form, field, failure, busy, verification } = useVerifiedForm({
    account,
    names: ['email'],
    check: ({ email }) => validateEmail(email),
    send: async (values, proof) => {
      const email = values.email.trim()
      await requestEmailChange({ email, proof })
      onSent(email)
    },
    errorText: ERROR_TEXT
  })

  return (
    <form {...form} className="grid gap-5" aria-label="Change email address">
      <p>
        We’ll send a code to the new address. You stay logged in here and will be logged out on all
        other devices.
      </p>
      <Field
        state={field('email')}
        label="New email address"
        type="email"
        autoComplete="off"
        maxLength={ACCOUNT_LIMITS.email}
      />
      {verification}
      <Failure failure={failure} busy={busy} />
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
  const { form, field, failure, busy } = useCodeForm(async otp => {
    await changeEmail({ email: newEmail, otp })
    onDone()
  }, ERROR_TEXT)

  return (
    <form {...form} className="grid gap-5" aria-label="Enter the code">
      <p>
        <CodeSent email={newEmail} />
      </p>
      <CodeField state={field('otp')} />
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton label="Change email address" busyLabel="Saving…" busy={busy} secondary />
        <Button label="Start again" onClick={onRestart} />
      </div>
    </form>
  )
}
