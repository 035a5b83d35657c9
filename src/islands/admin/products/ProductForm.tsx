import { PRODUCT_LIMITS } from '#lib/admin/limits.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  EMPTY_PRODUCT,
  PRODUCT_FORM_FIELDS,
  validateProduct,
  parseProductForm,
  toProductFormValues,
  type ProductFormField
} from '#lib/admin/product-form.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { Failure } from '../../form/Failure.tsx'
import { useForm } from '../../form/use-form.ts'
import { ConflictNotice } from '../ui/ConflictNotice.tsx'
import { FormWithDraft, type DraftProps } from '../ui/FormWithDraft.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { PictureEditor } from './pictures/PictureEditor.tsx'
import { ProductFields } from './ProductFields.tsx'
import type { CategoryChoice } from './ProductsPage.tsx'
import { usePictures } from './pictures/use-pictures.ts'
import { useProductSaving } from './use-product-saving.ts'

interface ProductFormProps {
  id: string
  original: AdminProduct | undefined
  categories: readonly CategoryChoice[]
  onUseTheirs?: (product: AdminProduct) => void
  onSaved: () => void
  onCancel: () => void
}

export function ProductForm({ id, ...props }: ProductFormProps) {
  return (
    <FormWithDraft kind="product" id={id} names={PRODUCT_FORM_FIELDS}>
      {draftProps => <Form {...props} {...draftProps} />}
    </FormWithDraft>
  )
}

type FormProps = Omit<ProductFormProps, 'id'> & DraftProps<ProductFormField>

function Form({ original, categories, onUseTheirs, onSaved, onCancel, draft, restored }: FormProps) {
  const { conflict, save, overwrite } = useProductSaving(original, draft.key)
  const discardDraftAndClose = () => {
    draft.discard()
    onSaved()
  }
  const { form, field, failure, busy, run, values } = useForm<ProductFormField>({
    names: PRODUCT_FORM_FIELDS,
    check: validateProduct,
    send: async fields => {
      if (await save(parseProductForm(fields, pictures.list))) discardDraftAndClose()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain }
  })
  const pictures = usePictures(restored.pictures ?? original?.pictures ?? [], {
    getName: () => values().name.trim(),
    max: PRODUCT_LIMITS.pictures,
    onChange: draft.savePictures
  })
  const isUploading = pictures.uploads.some(({ failed }) => !failed)
  const initial = restored.values ?? (original ? toProductFormValues(original) : EMPTY_PRODUCT)

  return (
    <form
      {...form}
      aria-label="Product"
      onInput={() => {
        form.onInput()
        draft.saveValues(values())
      }}
      onSubmit={event => {
        if (isUploading) event.preventDefault()
        else form.onSubmit(event)
      }}
      className="grid gap-6"
    >
      {conflict && (
        <ConflictNotice
          differences={conflict.differences}
          onUseTheirs={() => {
            draft.discard()
            onUseTheirs?.(conflict.latest)
          }}
          onKeepMine={() => void run(async () => void ((await overwrite()) && discardDraftAndClose()))}
        />
      )}
      <ProductFields field={field} initial={initial} categories={categories} />
      <PictureEditor pictures={pictures} />
      <Failure failure={failure} />
      <SaveBar
        label="Save product"
        busy={busy}
        waitingLabel={isUploading && 'Waiting for pictures…'}
        onCancel={() => {
          draft.discard()
          onCancel()
        }}
      />
    </form>
  )
}
