import { MESSAGES } from '#lib/messages.ts'
import { deleteAccount } from '#lib/stores/account.ts'
import { Failure } from '../../form/Failure.tsx'
import { SubmitButton } from '../../form/SubmitButton.tsx'
import { useForm } from '../../form/use-form.ts'
import { ProofFields } from './ProofFields.tsx'
import { PROOF_FIELDS, useProof } from './use-proof.ts'

export function DeleteAccount({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { way, setWay, problems, proof, placeOf } = useProof(hasPassword)
  const { form, field, failure, busy, run } = useForm({
    names: PROOF_FIELDS,
    check: problems,
    send: values => deleteAccount(proof(values)),
    failed: { title: MESSAGES.accountNotDeleted, otherwise: MESSAGES.tryAgain },
    placeOf
  })

  return (
    <form {...form} className="grid gap-5" aria-label="Delete my account">
      <div className="grid gap-2">
        <p>
          Your name, e-mail address, phone number, shipping address and password are deleted at once, and you are logged
          out everywhere. This can't be undone.
        </p>
        <p>
          What stays: orders, as the tax law asks, without anything that says whose they were; and what you wrote to us
          with the contact form.
        </p>
      </div>
      <ProofFields {...{ email, hasPassword, way, field, run }} onWay={setWay} />
      <Failure failure={failure} />
      <SubmitButton label="Delete my account" doing="Deleting…" busy={busy} quiet />
    </form>
  )
}
