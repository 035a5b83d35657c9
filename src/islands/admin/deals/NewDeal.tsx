import { useState } from 'react'
import {
  DEAL_FORM_FIELDS,
  validateDeal,
  EMPTY_DEAL,
  parseDealForm,
  toRepeatFormValues,
  type DealFormField
} from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { formatRupees } from '#lib/money.ts'
import { formatPack } from '#lib/pack.ts'
import type { ShopError } from '#lib/shop-error.ts'
import { createDeal } from '#lib/stores/admin/deals.ts'
import { notify } from '#lib/stores/toasts.ts'
import { Failure } from '../../form/Failure.tsx'
import { SelectField } from '../../form/SelectField.tsx'
import { SubmitButton } from '../../form/SubmitButton.tsx'
import { useForm } from '../../form/use-form.ts'
import { pushQuery } from '../../ui/history.ts'
import { DraftRestored } from '../ui/DraftRestored.tsx'
import { useFormDraft } from '../ui/use-form-draft.ts'
import { DealPreview } from './DealPreview.tsx'
import { TermFields } from './TermFields.tsx'
import { useFill } from './use-fill.ts'

interface NewDealProps {
  visibleProducts: readonly AdminProduct[]
  dealToRepeat: AdminDeal | undefined
}

const NEW_ID = ''

export function NewDeal(props: NewDealProps) {
  return <Form key={props.dealToRepeat?.id ?? NEW_ID} {...props} />
}

function Form({ visibleProducts, dealToRepeat }: NewDealProps) {
  const draft = useFormDraft('deal', NEW_ID, DEAL_FORM_FIELDS)
  const [initial] = useState(() =>
    dealToRepeat ? toRepeatFormValues(dealToRepeat) : (draft.restored.values ?? EMPTY_DEAL)
  )
  const [isRestored, setIsRestored] = useState(!dealToRepeat && draft.restored.values !== undefined)
  const [formValues, setFormValues] = useState(initial)
  const product = visibleProducts.find(({ id }) => id === formValues.productId)
  const { form, field, failure, busy, values } = useForm<DealFormField>({
    names: DEAL_FORM_FIELDS,
    check: validateDeal,
    send: async fields => {
      await createDeal({ productId: fields.productId, originalPrice: product?.price, ...parseDealForm(fields) })
      notify({ title: ADMIN_MESSAGES.dealCreated, text: product?.name ?? '' })
      clear()
      pushQuery('')
    },
    errorText: { title: ADMIN_MESSAGES.dealCreateFailed, fallback: ADMIN_MESSAGES.tryAgain },
    fieldForError: findErrorField
  })
  const onFormInput = () => {
    form.onInput()
    setFormValues(values())
    draft.saveValues(values())
  }
  const fill = useFill(form.ref, onFormInput)
  const clear = () => {
    fill(EMPTY_DEAL)
    draft.discard()
    setIsRestored(false)
  }

  return (
    <section aria-labelledby="new-deal" className="card p-4 sm:p-6">
      <h2 id="new-deal" className="mb-4 text-lg">
        Add deal
      </h2>
      {isRestored && <DraftRestored onStartOver={clear} />}
      <form {...form} aria-labelledby="new-deal" onInput={onFormInput} className="grid grid-cols-1 gap-5">
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
    </section>
  )
}

export function findErrorField({ code }: ShopError): DealFormField | undefined {
  if (code === 'DEAL_OVERLAPS') return 'startTime'
  return code === 'PRODUCT_NOT_FOUND' ? 'productId' : undefined
}
