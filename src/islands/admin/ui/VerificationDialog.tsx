import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { User } from '#lib/contract/accounts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { $verificationRequest, cancelVerification, verify } from '#lib/stores/admin/verification.ts'
import { useVerification, VERIFICATION_FIELDS, VerificationFields } from '../../account/Verification.tsx'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useForm } from '../../ui/use-form.ts'

/** A dialog keeps the page behind it, so that nothing typed there is lost. */
export function VerificationDialog() {
  const request = useStore($verificationRequest)
  return (
    <Dialog
      open={request !== undefined}
      onClose={cancelVerification}
      title={ADMIN_MESSAGES.verificationTitle}
      shape="box"
    >
      {request && <VerificationForm {...request.user} />}
    </Dialog>
  )
}

function VerificationForm({ email, hasPassword }: User) {
  const verification = useVerification(hasPassword)
  const { form, field, failure, busy, run } = useForm({
    names: VERIFICATION_FIELDS,
    check: verification.checkCredential,
    send: values => verify(verification.toCredential(values)),
    errorText: { title: ADMIN_MESSAGES.verificationFailed, fallback: MESSAGES.tryAgain },
    fieldForError: verification.fieldForError
  })

  return (
    <form {...form} className="grid gap-4 overflow-y-auto px-4 pb-4" aria-label={ADMIN_MESSAGES.verificationTitle}>
      <p>{ADMIN_MESSAGES.verificationReason}</p>
      <VerificationFields verification={verification} email={email} hasPassword={hasPassword} field={field} run={run} />
      <Failure failure={failure} />
      <div className="flex flex-wrap-reverse justify-end gap-3">
        <Button label="Cancel" onClick={cancelVerification} />
        <Button type="submit" look="primary" label={busy ? 'Verifying…' : 'Continue'} busy={busy} />
      </div>
    </form>
  )
}
