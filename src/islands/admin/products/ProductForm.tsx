import { useState } from 'react'
import { PRODUCT_LIMITS } from '#lib/admin/limits.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  EMPTY_PRODUCT,
  PRODUCT_FORM_FIELDS,
  productProblems,
  toFields,
  valuesOfProduct,
  type ProductFormField
} from '#lib/admin/product-form.ts'
import type { AdminProduct } from '#lib/contract/admin/products.ts'
import { Failure } from '../../form/Failure.tsx'
import { useForm } from '../../form/use-form.ts'
import { ConflictNotice } from '../ui/ConflictNotice.tsx'
import { DraftRestored } from '../ui/DraftRestored.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { useFormDraft, type FormDraft } from '../ui/use-form-draft.ts'
import { PictureEditor } from './pictures/PictureEditor.tsx'
import { ProductFields } from './ProductFields.tsx'
import type { CategoryChoice } from './ProductsPage.tsx'
import { usePictures } from './pictures/use-pictures.ts'
import { useProductSaving } from './use-product-saving.ts'

interface ProductFormProps {
  /** Of the product, or that of a new one. */
  id: string
  /** The product that is changed; nothing for a new one. */
  start: AdminProduct | undefined
  categories: readonly CategoryChoice[]
  /** What somebody else has saved was chosen over what was typed here. */
  onTheirs?: (product: AdminProduct) => void
  onSaved: () => void
  onCancel: () => void
}

export function ProductForm({ id, start, categories, onTheirs, onSaved, onCancel }: ProductFormProps) {
  const draft = useFormDraft('product', id, PRODUCT_FORM_FIELDS)
  const [restored, setRestored] = useState(draft.before.values !== undefined || draft.before.pictures !== undefined)
  // A form that starts over is made anew with what the shop has.
  const [round, setRound] = useState(0)
  const startOver = () => {
    draft.drop()
    setRestored(false)
    setRound(round + 1)
  }
  return (
    <>
      {restored && <DraftRestored onStartOver={startOver} />}
      <Form
        key={round}
        {...{ start, categories, onTheirs, onSaved, onCancel }}
        draft={draft}
        before={round === 0 ? draft.before : {}}
      />
    </>
  )
}

interface FormProps extends Omit<ProductFormProps, 'id' | 'onTheirs'> {
  onTheirs: ProductFormProps['onTheirs'] | undefined
  draft: FormDraft<ProductFormField>
  before: FormDraft<ProductFormField>['before']
}

function Form({ start, categories, onTheirs, onSaved, onCancel, draft, before }: FormProps) {
  const { conflict, save, overrule } = useProductSaving(start, draft.key)
  const done = () => {
    draft.drop()
    onSaved()
  }
  const { form, field, failure, busy, run, values } = useForm<ProductFormField>({
    names: PRODUCT_FORM_FIELDS,
    check: productProblems,
    send: async typed => {
      if (await save(toFields(typed, pictures.list))) done()
    },
    failed: { title: ADMIN_MESSAGES.saveFailed, otherwise: ADMIN_MESSAGES.tryAgain }
  })
  const pictures = usePictures(before.pictures ?? start?.pictures ?? [], {
    nameOf: () => values().name.trim(),
    most: PRODUCT_LIMITS.pictures,
    onChange: draft.picture
  })
  const waiting = pictures.uploads.some(({ failed }) => !failed)
  const initial = before.values ?? (start ? valuesOfProduct(start) : EMPTY_PRODUCT)

  return (
    <form
      {...form}
      aria-label="Product"
      onInput={() => {
        form.onInput()
        draft.type(values())
      }}
      onSubmit={event => {
        if (waiting) event.preventDefault()
        else form.onSubmit(event)
      }}
      className="grid gap-6"
    >
      {conflict && (
        <ConflictNotice
          differences={conflict.differences}
          onTheirs={() => {
            draft.drop()
            onTheirs?.(conflict.now)
          }}
          onMine={() => void run(async () => void ((await overrule()) && done()))}
        />
      )}
      <ProductFields field={field} initial={initial} categories={categories} />
      <PictureEditor pictures={pictures} />
      <Failure failure={failure} />
      <SaveBar
        label="Save product"
        busy={busy}
        waiting={waiting && 'Waiting for pictures…'}
        onCancel={() => {
          draft.drop()
          onCancel()
        }}
      />
    </form>
  )
}
