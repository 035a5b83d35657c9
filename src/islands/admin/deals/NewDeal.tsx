import { useState } from 'react'
import {
  DEAL_FORM_FIELDS,
  EMPTY_DEAL,
  parseDealForm,
  toRepeatFormValues,
  validateDeal,
  type DealFormField,
  type DealFormValues
} from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { formatRupees } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import { createDeal } from '#lib/stores/admin/deals.ts'
import { notify } from '#lib/stores/toasts.ts'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { pushQuery } from '../../ui/history.ts'
import { fillFields, useForm } from '../../ui/use-form.ts'
import { FormWithDraft, type FormDraft } from '../ui/FormDraft.tsx'
import { DealPreview, findErrorField, TermFields } from './DealFields.tsx'

interface NewDealProps {
  visibleProducts: readonly AdminProduct[]
  dealToRepeat: AdminDeal | undefined
}

export function NewDeal(props: NewDealProps) {
  const draftId = props.dealToRepeat ? `repeat ${props.dealToRepeat.id}` : ''
  return (
    <section aria-labelledby="new-deal" className="card p-4 sm:p-6">
      <h2 id="new-deal" className="mb-4 text-lg">
        Add deal
      </h2>
      <FormWithDraft key={draftId} kind="deal" id={draftId} names={DEAL_FORM_FIELDS}>
        {draft => <Form {...props} draft={draft} />}
      </FormWithDraft>
    </section>
  )
}

function Form({ visibleProducts, dealToRepeat, draft }: NewDealProps & { draft: FormDraft<DealFormField> }) {
  const [initial] = useState(
    () => draft.restored.values ?? (dealToRepeat ? toRepeatFormValues(dealToRepeat) : EMPTY_DEAL)
  )
  const [formValues, setFormValues] = useState(initial)
  const product = visibleProducts.find(({ id }) => id === formValues.productId)
  const { form, field, failure, busy, values } = useForm<DealFormField>({
    names: DEAL_FORM_FIELDS,
    check: validateDeal,
    send: async typed => {
      await createDeal({ productId: typed.productId, originalPrice: product?.price, ...parseDealForm(typed) })
      notify({ title: ADMIN_MESSAGES.dealCreated, text: product?.name ?? '' })
      fill(EMPTY_DEAL)
      draft.discard()
      pushQuery('')
    },
    errorText: { title: ADMIN_MESSAGES.dealCreateFailed, fallback: ADMIN_MESSAGES.tryAgain },
    fieldForError: findErrorField
  })
  const onInput = () => {
    form.onInput()
    setFormValues(values())
    draft.saveValues(values())
  }
  const fill = (changes: Partial<DealFormValues>) => {
    fillFields(form.ref.current, changes)
    onInput()
  }

  return (
    <form {...form} aria-labelledby="new-deal" onInput={onInput} className="grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <SelectField state={field('productId')} label="Product" required defaultValue={initial.productId}>
          <option value="">Choose a product</option>
          {visibleProducts.map(({ id, name, price, quantity }) => (
            <option key={id} value={id}>
              {name}, {formatRupees(price)} for {formatPack(quantity)}
            </option>
          ))}
        </SelectField>
        <TermFields
          field={field}
          initial={initial}
          values={values}
          fill={fill}
          focusStart={dealToRepeat !== undefined}
        />
      </div>
      <DealPreview product={product} values={formValues} />
      <Failure failure={failure} />
      <div className="sm:justify-self-start">
        <SubmitButton label="Add deal" busyLabel="Adding…" busy={busy} />
      </div>
    </form>
  )
}
