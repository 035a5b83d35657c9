import type { ProductFormField, ProductFormValues } from '#lib/admin/product-form.ts'
import { DIETARY, DIETARY_LABELS, PACK_UNITS, PRODUCT_LIMITS } from '#lib/constants.ts'
import { Field, SelectField, TextArea } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import type { CategoryChoice } from './ProductsPage.tsx'

const UNIT_LABELS = { g: 'g', kg: 'kg', ml: 'ml', l: 'l', piece: 'pieces' } as const

interface ProductFieldsProps {
  field: (name: ProductFormField) => FieldState
  initial: ProductFormValues
  categories: readonly CategoryChoice[]
}

export function ProductFields({ field, initial, categories }: ProductFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        state={field('name')}
        label="Name"
        defaultValue={initial.name}
        maxLength={PRODUCT_LIMITS.name}
        autoComplete="off"
        hint="Also used for the web address, which can’t be changed later."
      />
      <Field
        state={field('nameTamil')}
        label="Tamil name (optional)"
        lang="ta"
        defaultValue={initial.nameTamil}
        maxLength={PRODUCT_LIMITS.name}
        autoComplete="off"
      />
      <SelectField state={field('category')} label="Category" defaultValue={initial.category}>
        {categories.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField state={field('dietary')} label="Dietary" defaultValue={initial.dietary}>
        {DIETARY.map(dietary => (
          <option key={dietary} value={dietary}>
            {DIETARY_LABELS[dietary]}
          </option>
        ))}
      </SelectField>
      <NumberFields field={field} initial={initial} />
      <TextArea
        state={field('description')}
        label="Description"
        rows={4}
        maxLength={PRODUCT_LIMITS.description}
        defaultValue={initial.description}
        hint="The product list shows the first two lines."
        className="sm:col-span-2"
      />
      <TextArea
        state={field('ingredients')}
        label="Ingredients"
        rows={6}
        defaultValue={initial.ingredients}
        hint="One per line, with allergens in brackets: Ghee (milk)."
      />
      <div className="grid content-start gap-5">
        <Field
          state={field('shelfLife')}
          label="Shelf life"
          defaultValue={initial.shelfLife}
          maxLength={PRODUCT_LIMITS.shelfLife}
          autoComplete="off"
          hint="As on the label, e.g. “Best within 20 days of making”."
        />
        <SelectField state={field('visible')} label="Status" defaultValue={initial.visible}>
          <option value="yes">In the shop</option>
          <option value="no">Hidden</option>
        </SelectField>
      </div>
    </div>
  )
}

function NumberFields({ field, initial }: Omit<ProductFieldsProps, 'categories'>) {
  const numberInput = { autoComplete: 'off', inputMode: 'decimal' } as const
  return (
    <div className="grid grid-cols-2 gap-5 sm:col-span-2 lg:grid-cols-4">
      <Field state={field('price')} label="Price" prefix="₹" defaultValue={initial.price} {...numberInput} />
      <Field
        state={field('stock')}
        label="Stock (packs)"
        defaultValue={initial.stock}
        {...numberInput}
        inputMode="numeric"
      />
      <Field
        state={field('quantity.value')}
        label="Pack size"
        defaultValue={initial['quantity.value']}
        {...numberInput}
      />
      <SelectField state={field('quantity.unit')} label="Unit" defaultValue={initial['quantity.unit']}>
        {PACK_UNITS.map(unit => (
          <option key={unit} value={unit}>
            {UNIT_LABELS[unit]}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
