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
import { DraftedForm, type Drafted } from '../ui/DraftedForm.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { PictureEditor } from './pictures/PictureEditor.tsx'
import { ProductFields } from './ProductFields.tsx'
import type { CategoryChoice } from './ProductsPage.tsx'
import { usePictures } from './pictures/use-pictures.ts'
import { useProductSaving } from './use-product-saving.ts'

interface ProductFormProps {
  id: string
  start: AdminProduct | undefined
  categories: readonly CategoryChoice[]
  onUseTheirs?: (product: AdminProduct) => void
  onSaved: () => void
  onCancel: () => void
}

export function ProductForm({ id, ...props }: ProductFormProps) {
  return (
    <DraftedForm kind="product" id={id} names={PRODUCT_FORM_FIELDS}>
      {drafted => <Form {...props} {...drafted} />}
    </DraftedForm>
  )
}

type FormProps = Omit<ProductFormProps, 'id'> & Drafted<ProductFormField>

function Form({ start, categories, onUseTheirs, onSaved, onCancel, draft, restored }: FormProps) {
  const { conflict, save, overwrite } = useProductSaving(start, draft.key)
  const done = () => {
    draft.discard()
    onSaved()
  }
  const { form, field, failure, busy, run, values } = useForm<ProductFormField>({
    names: PRODUCT_FORM_FIELDS,
    check: productProblems,
    send: async typed => {
      if (await save(toFields(typed, pictures.list))) done()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain }
  })
  const pictures = usePictures(restored.pictures ?? start?.pictures ?? [], {
    nameOf: () => values().name.trim(),
    max: PRODUCT_LIMITS.pictures,
    onChange: draft.savePictures
  })
  const waiting = pictures.uploads.some(({ failed }) => !failed)
  const initial = restored.values ?? (start ? valuesOfProduct(start) : EMPTY_PRODUCT)

  return (
    <form
      {...form}
      aria-label="Product"
      onInput={() => {
        form.onInput()
        draft.saveValues(values())
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
          onUseTheirs={() => {
            draft.discard()
            onUseTheirs?.(conflict.now)
          }}
          onKeepMine={() => void run(async () => void ((await overwrite()) && done()))}
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
          draft.discard()
          onCancel()
        }}
      />
    </form>
  )
}
