import { MESSAGES } from '#lib/messages.ts'
import { deleteAccount } from '#lib/stores/account.ts'
import { Failure } from '../../form/Failure.tsx'
import { SubmitButton } from '../../form/SubmitButton.tsx'
import { useForm } from '../../form/use-form.ts'
import { VerificationFields } from './VerificationFields.tsx'
import { VERIFICATION_FIELDS, useVerification } from './use-verification.ts'

export function DeleteAccount({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { method, setMethod, checkCredential, toCredential, fieldForError } = useVerification(hasPassword)
  const { form, field, failure, busy, run } = useForm({
    names: VERIFICATION_FIELDS,
    check: checkCredential,
    send: values => deleteAccount(toCredential(values)),
    errorText: { title: MESSAGES.accountNotDeleted, fallback: MESSAGES.tryAgain },
    fieldForError
  })

  return (
    <form {...form} className="grid gap-5" aria-label="Delete my account">
      <div className="grid gap-2">
        <p>
          We delete your name, e-mail, phone number, address and password right away and log you out on all devices.
          This can’t be undone.
        </p>
        <p>
          We must keep past orders for tax, but without your name or address. We also keep the messages you sent us
          through the contact form.
        </p>
      </div>
      <VerificationFields
        email={email}
        hasPassword={hasPassword}
        method={method}
        onMethod={setMethod}
        field={field}
        run={run}
      />
      <Failure failure={failure} />
      <SubmitButton label="Delete my account" busyLabel="Deleting…" busy={busy} secondary />
    </form>
  )
}
