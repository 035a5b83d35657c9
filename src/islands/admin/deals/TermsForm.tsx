import { useState } from 'react'
import {
  DEAL_FORM_FIELDS,
  dealProblems,
  parseTerms,
  valuesOfDeal,
  type DealFormField,
  type DealValues
} from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { Failure } from '../../form/Failure.tsx'
import { useForm } from '../../form/use-form.ts'
import { ConflictNotice } from '../ui/ConflictNotice.tsx'
import { DraftRestored } from '../ui/DraftRestored.tsx'
import { useFormDraft } from '../ui/use-form-draft.ts'
import { DealPreview } from './DealPreview.tsx'
import { fieldOfError } from './NewDeal.tsx'
import { TermFields } from './TermFields.tsx'
import { useDealSaving } from './use-deal-saving.ts'
import { useFill } from './use-fill.ts'

interface TermsFormProps {
  start: AdminDeal
  onUseTheirs: (deal: AdminDeal) => void
  onClose: () => void
}

/** The product can't be changed, because customers have drawn discounts for it. */
export function TermsForm({ start, onUseTheirs, onClose }: TermsFormProps) {
  const draft = useFormDraft('deal', start.id, DEAL_FORM_FIELDS)
  const { conflict, save, overwrite } = useDealSaving(start)
  const [initial] = useState(() => draft.restored.values ?? valuesOfDeal(start))
  const [restored, setRestored] = useState(draft.restored.values !== undefined)
  const [typed, setTyped] = useState(initial)
  const done = () => {
    draft.discard()
    onClose()
  }
  // The form has no product field.
  const complete = (values: DealValues): DealValues => ({ ...values, productId: start.product._id })
  const { form, field, failure, busy, run, values } = useForm<DealFormField>({
    names: DEAL_FORM_FIELDS,
    check: now => dealProblems(complete(now)),
    send: async sent => {
      if (await save(parseTerms(sent, start))) done()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain },
    fieldForError: fieldOfError
  })
  const onFormInput = () => {
    form.onInput()
    const now = complete(values())
    setTyped(now)
    draft.saveValues(now)
  }
  const fill = useFill(form.ref, onFormInput)
  const startOver = () => {
    fill(valuesOfDeal(start))
    draft.discard()
    setRestored(false)
  }

  return (
    <form {...form} aria-label="Edit deal" onInput={onFormInput} className="grid gap-5">
      {restored && <DraftRestored onStartOver={startOver} />}
      {conflict && (
        <ConflictNotice
          differences={conflict.differences}
          onUseTheirs={() => {
            draft.discard()
            onUseTheirs(conflict.now)
          }}
          onKeepMine={() => void run(async () => void ((await overwrite()) && done()))}
        />
      )}
      <div className="grid items-start gap-5 md:grid-cols-3">
        <TermFields field={field} initial={initial} values={values} fill={fill} />
      </div>
      <DealPreview product={start.product} values={typed} />
      <Failure failure={failure} />
      <div className="flex flex-wrap gap-3">
        <button type="submit" aria-disabled={busy} className="button-primary aria-disabled:opacity-60">
          {busy ? 'Saving…' : 'Save deal'}
        </button>
        <button type="button" className="button-quiet" onClick={done}>
          Cancel
        </button>
      </div>
    </form>
  )
}
