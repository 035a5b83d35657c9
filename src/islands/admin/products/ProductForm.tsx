import { withChosen } from '#lib/admin/form.ts'
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
import { DIETARY, DIETARY_LABELS, type PackUnit, PRODUCT_LIMITS } from '#lib/constants.ts'
import type { AdminProduct, ProductFields as Fields } from '#lib/contract/catalog.ts'
import { changeProduct, createProduct, readProduct } from '#lib/stores/admin/products.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { Field, SelectField, TextArea } from '../../ui/Field.tsx'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { usePictures } from '../ui/use-pictures.ts'
import type { SaveRules } from '../ui/use-saving.ts'
import { PictureEditor } from './PictureEditor.tsx'

const SAVE_RULES: SaveRules<AdminProduct, Fields & { stock: number }> = {
  getFields: extractProductFields,
  read: ({ id }) => readProduct(id),
  save: (latest, edits) => changeProduct(latest.id, toProductChange(latest, edits)),
  labels: PRODUCT_LABELS,
  format: formatProductField,
  savedMessage: ({ name }) => ({ title: name, text: ADMIN_MESSAGES.saved })
}

const UNIT_LABELS: Record<PackUnit, string> = {
  g: 'g',
  kg: 'kg',
  ml: 'ml',
  l: 'l',
  piece: 'pieces'
}

interface ProductFormProps {
  id: string
  original: AdminProduct | undefined
  /** The product of which the new one is another pack size. */
  sizeOf?: AdminProduct
  categories: readonly Category[]
  onAdded: (product: AdminProduct) => void
  onReset: (product?: AdminProduct) => void
}

export function ProductForm({
  id,
  original,
  sizeOf,
  categories,
  onAdded,
  onReset
}: ProductFormProps) {
  const form = useRecordForm({
    kind: 'product',
    id,
    original,
    names: PRODUCT_FORM_FIELDS,
    getInitial: () => {
      if (sizeOf) return toNewSizeValues(sizeOf)
      return original ? toProductFormValues(original) : EMPTY_PRODUCT
    },
    check: validateProduct,
    parse: values => parseProductForm(values, pictures.list),
    create: async (fields, key) => {
      onAdded(await createProduct({ ...fields, ...(sizeOf && { sizeOf: sizeOf.id }), key }))
    },
    saveRules: SAVE_RULES,
    onReset
  })
  const pictures = usePictures(form.draft, (sizeOf ?? original)?.pictures ?? [], {
    getName: () => form.values().name.trim(),
    max: PRODUCT_LIMITS.pictures
  })
  const { field } = form
  // The fields that pack sizes share are not shown for a new one.
  const shared = sizeOf ? 'hidden' : 'contents'
  const choices = categories.map(({ name, label }) => [name, label] as const)
  const { initial } = field('category')
  return (
    <RecordForm
      label="Product"
      form={form}
      saveLabel="Save product"
      waitingLabel={pictures.isUploading && 'Waiting for pictures…'}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-2">
        <div className={shared}>
          <Field
            state={field('name')}
            label="Name"
            maxLength={PRODUCT_LIMITS.name}
            hint="Also used for the web address, which can’t be changed later."
          />
          <Field
            state={field('nameTamil')}
            label="Tamil name (optional)"
            lang="ta"
            maxLength={PRODUCT_LIMITS.name}
          />
          <SelectField
            state={field('category')}
            label="Category"
            choices={
              initial ? withChosen(choices, initial) : [['', 'Choose a category'], ...choices]
            }
          />
          <SelectField
            state={field('dietary')}
            label="Dietary"
            choices={DIETARY.map(dietary => [dietary, DIETARY_LABELS[dietary]])}
          />
        </div>
        <div className="grid grid-cols-2 gap-5 sm:col-span-2 lg:grid-cols-4">
          <Field state={field('price')} label="Price" prefix="₹" inputMode="decimal" />
          <Field state={field('stock')} label="Stock (packs)" inputMode="numeric" />
          <Field state={field('quantity.value')} label="Pack size" inputMode="decimal" />
          <SelectField
            state={field('quantity.unit')}
            label="Unit"
            choices={Object.entries(UNIT_LABELS)}
          />
        </div>
        <div className={shared}>
          <TextArea
            state={field('description')}
            label="Description"
            rows={4}
            maxLength={PRODUCT_LIMITS.description}
            hint="The product list shows the first two lines."
            className="sm:col-span-2"
          />
          <TextArea
            state={field('ingredients')}
            label="Ingredients"
            rows={6}
            hint="One per line, with allergens in brackets: Ghee (milk)."
          />
        </div>
        <div className="grid content-start gap-5">
          <div className={shared}>
            <Field
              state={field('shelfLife')}
              label="Shelf life"
              maxLength={PRODUCT_LIMITS.shelfLife}
              hint="As on the label, e.g. “Best within 20 days of making”."
            />
          </div>
          <SelectField
            state={field('visible')}
            label="Status"
            choices={Object.entries({ yes: 'In the shop', no: 'Hidden' })}
          />
        </div>
      </div>
      {!sizeOf && <PictureEditor pictures={pictures} />}
      <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 rounded-xl bg-cream-deep p-4 sm:grid-cols-3">
        <legend className="float-left font-semibold sm:col-span-3">Sale price (optional)</legend>
        <Field
          state={field('sale.price')}
          label="Price in the sale"
          prefix="₹"
          inputMode="decimal"
          hint="Empty: no sale. The usual price is shown struck out."
        />
        <Field
          state={field('sale.from')}
          label="From"
          type="datetime-local"
          hint="Indian time (IST)."
        />
        <Field
          state={field('sale.until')}
          label="Until"
          type="datetime-local"
          hint="Indian time (IST)."
        />
      </fieldset>
      <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 rounded-xl bg-cream-deep p-4 sm:grid-cols-2">
        <legend className="float-left font-semibold sm:col-span-2">
          Label, kitchen and delivery
        </legend>
        <div className={shared}>
          <TextArea
            state={field('allergens')}
            label="Allergens (optional)"
            rows={2}
            maxLength={PRODUCT_LIMITS.allergens}
            hint="For example: milk, wheat, cashew nuts."
          />
          <TextArea
            state={field('nutrition')}
            label="Nutrition per 100 g (optional)"
            rows={5}
            maxLength={PRODUCT_LIMITS.nutrition}
            hint="One value per line: Energy 520 kcal. Labels need it."
          />
          <Field
            state={field('shelfLifeDays')}
            label="Shelf life in days (optional)"
            inputMode="numeric"
            hint="For the best-before date, and to warn if a courier takes too long."
          />
          <Field
            state={field('extraLeadDays')}
            label="Extra days to prepare"
            inputMode="numeric"
            hint="In addition to those under Settings, Delivery days."
          />
          <SelectField
            state={field('localOnly')}
            label="Delivery"
            choices={Object.entries({
              no: 'Also by courier',
              yes: 'Only local delivery and pickup'
            })}
          />
        </div>
        <Field
          state={field('kitchenUnits')}
          label="Kitchen units per pack"
          inputMode="numeric"
          hint="What a pack takes of the day’s kitchen units, usually 1."
        />
      </fieldset>
    </RecordForm>
  )
}
