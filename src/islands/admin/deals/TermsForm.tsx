import { useState } from 'react'
import {
  DEAL_FORM_FIELDS,
  validateDeal,
  parseDealForm,
  toDealFormValues,
  type DealFormField,
  type DealFormValues
} from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { Failure } from '../../form/Failure.tsx'
import { useForm } from '../../form/use-form.ts'
import { ConflictNotice } from '../ui/ConflictNotice.tsx'
import { DraftRestored } from '../ui/DraftRestored.tsx'
import { useFormDraft } from '../ui/use-form-draft.ts'
import { DealPreview } from './DealPreview.tsx'
import { findErrorField } from './NewDeal.tsx'
import { TermFields } from './TermFields.tsx'
import { useDealSaving } from './use-deal-saving.ts'
import { useFill } from './use-fill.ts'

interface TermsFormProps {
  original: AdminDeal
  onUseTheirs: (deal: AdminDeal) => void
  onClose: () => void
}

/** The form can't change the product, because customers may already have received discounts for the product. */
export function TermsForm({ original, onUseTheirs, onClose }: TermsFormProps) {
  const draft = useFormDraft('deal', original.id, DEAL_FORM_FIELDS)
  const { conflict, save, overwrite } = useDealSaving(original)
  const [initial] = useState(() => draft.restored.values ?? toDealFormValues(original))
  const [isRestored, setIsRestored] = useState(draft.restored.values !== undefined)
  const [formValues, setFormValues] = useState(initial)
  const discardDraftAndClose = () => {
    draft.discard()
    onClose()
  }
  const addProductId = (fields: DealFormValues): DealFormValues => ({ ...fields, productId: original.product._id })
  const { form, field, failure, busy, run, values } = useForm<DealFormField>({
    names: DEAL_FORM_FIELDS,
    check: fields => validateDeal(addProductId(fields)),
    send: async fields => {
      if (await save(parseDealForm(fields, original))) discardDraftAndClose()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain },
    fieldForError: findErrorField
  })
  const onFormInput = () => {
    form.onInput()
    const fields = addProductId(values())
    setFormValues(fields)
    draft.saveValues(fields)
  }
  const fill = useFill(form.ref, onFormInput)
  const resetForm = () => {
    fill(toDealFormValues(original))
    draft.discard()
    setIsRestored(false)
  }

  return (
    <form {...form} aria-label="Edit deal" onInput={onFormInput} className="grid grid-cols-1 gap-5">
      {isRestored && <DraftRestored onStartOver={resetForm} />}
      {conflict && (
        <ConflictNotice
          differences={conflict.differences}
          onUseTheirs={() => {
            draft.discard()
            onUseTheirs(conflict.latest)
          }}
          onKeepMine={() => void run(async () => void ((await overwrite()) && discardDraftAndClose()))}
        />
      )}
      <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-3">
        <TermFields field={field} initial={initial} values={values} fill={fill} />
      </div>
      <DealPreview product={original.product} values={formValues} />
      <Failure failure={failure} />
      <div className="flex flex-wrap gap-3">
        <button type="submit" aria-disabled={busy} className="button-primary aria-disabled:opacity-60">
          {busy ? 'Saving…' : 'Save deal'}
        </button>
        <button type="button" className="button-quiet" onClick={discardDraftAndClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}
