import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  EMPTY_PRODUCT,
  extractProductFields,
  formatProductField,
  parseProductForm,
  PRODUCT_FORM_FIELDS,
  PRODUCT_LABELS,
  toNewSizeValues,
  toProductChange,
  toProductFormValues,
  validateProduct
} from '#lib/admin/product-form.ts'
import { PRODUCT_LIMITS } from '#lib/constants.ts'
import type { AdminProduct, ProductFields as Fields } from '#lib/contract/catalog.ts'
import { changeProduct, createProduct, readProduct } from '#lib/stores/admin/products.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { useFormDraft } from '../ui/form-draft.ts'
import { usePictures } from '../ui/use-pictures.ts'
import type { SaveRules } from '../ui/use-saving.ts'
import { PictureEditor } from './PictureEditor.tsx'
import { ProductFields } from './ProductFields.tsx'

const SAVE_RULES: SaveRules<AdminProduct, Fields & { stock: number }> = {
  getFields: extractProductFields,
  read: ({ id }) => readProduct(id),
  save: (original, latest, fields) => changeProduct(original.id, toProductChange(original, latest, fields)),
  labels: PRODUCT_LABELS,
  format: formatProductField,
  savedMessage: ({ name }) => ({ title: name, text: ADMIN_MESSAGES.saved })
}

interface ProductFormProps {
  id: string
  original: AdminProduct | undefined
  /** The product of which the new one is another pack size. */
  sizeOf?: AdminProduct
  categories: readonly Category[]
  onAdded: (product: AdminProduct) => void
  onReset: (product?: AdminProduct) => void
  onClose: () => void
}

export function ProductForm({ id, original, sizeOf, categories, onAdded, onReset, onClose }: ProductFormProps) {
  const draft = useFormDraft('product', id, PRODUCT_FORM_FIELDS)
  const form = useRecordForm({
    names: PRODUCT_FORM_FIELDS,
    draft,
    original,
    getInitial: () => {
      if (sizeOf) return toNewSizeValues(sizeOf)
      return original ? toProductFormValues(original) : EMPTY_PRODUCT
    },
    check: validateProduct,
    parse: values => parseProductForm(values, pictures.list),
    create: async fields => {
      onAdded(await createProduct({ ...fields, ...(sizeOf && { sizeOf: sizeOf.id }), key: draft.key }))
    },
    saveRules: SAVE_RULES,
    onReset,
    onClose
  })
  const pictures = usePictures(draft, (sizeOf ?? original)?.pictures ?? [], {
    getName: () => form.values().name.trim(),
    max: PRODUCT_LIMITS.pictures
  })
  return (
    <RecordForm
      label="Product"
      form={form}
      saveLabel="Save product"
      waitingLabel={pictures.isUploading && 'Waiting for pictures…'}
    >
      <ProductFields field={form.field} categories={categories} isSize={sizeOf !== undefined} />
      {!sizeOf && <PictureEditor pictures={pictures} />}
    </RecordForm>
  )
}
