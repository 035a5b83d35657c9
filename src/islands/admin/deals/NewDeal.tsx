import { useState } from 'react'
import { DEAL_FORM_FIELDS, EMPTY_DEAL, parseDealForm, toRepeatFormValues, validateDeal } from '#lib/admin/deal-form.ts'
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
import { DraftNotice, useRecordForm } from '../ui/RecordForm.tsx'
import { useFormDraft } from '../ui/form-draft.ts'
import { DEAL_FORM, DealPreview, TermFields } from './DealFields.tsx'
import { useDeepDiscount } from './DeepDiscount.tsx'

interface NewDealProps {
  visibleProducts: readonly AdminProduct[]
  dealToRepeat: AdminDeal | undefined
}

export function NewDeal(props: NewDealProps) {
  const [resetCount, setResetCount] = useState(0)
  const id = props.dealToRepeat ? `repeat ${props.dealToRepeat.id}` : ''
  return (
    <section aria-labelledby="new-deal" className="card p-4 sm:p-6">
      <h2 id="new-deal" className="mb-4 text-lg">
        Add flash deal
      </h2>
      <NewDealForm key={`${id} ${resetCount}`} id={id} {...props} onReset={() => setResetCount(resetCount + 1)} />
    </section>
  )
}

function NewDealForm({
  id,
  visibleProducts,
  dealToRepeat,
  onReset
}: NewDealProps & { id: string; onReset: () => void }) {
  const draft = useFormDraft('deal', id, DEAL_FORM_FIELDS)
  const form = useRecordForm({
    ...DEAL_FORM,
    draft,
    original: undefined,
    getInitial: () => (dealToRepeat ? toRepeatFormValues(dealToRepeat) : EMPTY_DEAL),
    check: validateDeal,
    parse: parseDealForm,
    create: async (terms, { productId }) => {
      await createDeal({ productId, originalPrice: product?.price, ...terms })
      notify({ title: ADMIN_MESSAGES.dealCreated, text: product?.name ?? '' })
      form.fill(EMPTY_DEAL)
    },
    errorTitle: ADMIN_MESSAGES.dealCreateFailed,
    onReset,
    onClose: () => pushQuery('')
  })
  const { field, failure, busy, values, formValues, fill } = form
  const product = visibleProducts.find(({ id }) => id === formValues.productId)
  const { onSubmit, question } = useDeepDiscount({ form: form.form, values, product })
  const choices = visibleProducts.map(
    ({ id, name, price, quantity }) => [id, `${name}, ${formatRupees(price)} for ${formatPack(quantity)}`] as const
  )
  return (
    <form {...form.form} onSubmit={onSubmit} aria-labelledby="new-deal" className="grid grid-cols-1 gap-5">
      <DraftNotice form={form} />
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <SelectField
          state={field('productId')}
          label="Product"
          required
          choices={[['', 'Choose a product'], ...choices]}
        />
        <TermFields field={field} values={values} fill={fill} focusStart={dealToRepeat !== undefined} />
      </div>
      <DealPreview product={product} values={formValues} />
      {question}
      <Failure failure={failure} />
      <div className="sm:justify-self-start">
        <SubmitButton label="Add flash deal" busyLabel="Adding…" busy={busy} />
      </div>
    </form>
  )
}
