import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES, productHiddenText } from '#lib/admin/messages.ts'
import {
  FOLDED_FIELDS,
  listProductSpecs,
  MAIN_FIELDS,
  PRODUCT_FORM,
  toProductChange
} from '#lib/admin/product-fields.ts'
import {
  ALLERGEN_LABELS,
  ALLERGENS,
  findAllergens,
  tickAllergen,
  toNewProduct,
  toNewSize,
  withSuggestions
} from '#lib/admin/product-suggestions.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { t } from '#lib/contract/texts.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { compareSizes, formatPack, formatStock } from '#lib/product.ts'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import {
  $products,
  changeProduct,
  createProduct,
  deleteProduct,
  orderSizes,
  readProduct,
  takeOutOfFamily
} from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { Button, ButtonLink, Icon } from '../../ui/Button.tsx'
import { Checkbox } from '../ui/FormField.tsx'
import { FormFields } from '../ui/FormFields.tsx'
import { MovableList } from '../ui/MovableList.tsx'
import { ProductPictures } from '../ui/PictureFields.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { DeleteButton, RecordEditor } from '../ui/RecordPage.tsx'
import {
  type OpenRecord,
  type RecordFormState,
  toChoices,
  useRecordForm
} from '../ui/use-record-form.ts'
import { NEW_ID, Note, viewLink } from '../ui/views.tsx'
import { StockBadges } from './QuickField.tsx'

interface ProductFormRules {
  sizeOf?: AdminProduct
  products: readonly AdminProduct[]
  categories: readonly Category[]
}

interface ProductEditorProps extends Omit<ProductFormRules, 'sizeOf'> {
  id: string
  sizeOf: string | undefined
}

export function ProductEditor({ id, sizeOf, ...rules }: ProductEditorProps) {
  if (sizeOf !== undefined) {
    return (
      <RecordEditor
        id={sizeOf}
        kind="product"
        read={readProduct}
        getTitle={({ name }) => t('New pack size of {name}', { name })}
      >
        {({ item, ...record }) => {
          const draftName = `product ${id} ${sizeOf}` as const
          const rulesOfSize = { ...record, ...rules, draftName, item: undefined }
          return item && <ProductForm {...rulesOfSize} sizeOf={item} />
        }}
      </RecordEditor>
    )
  }
  return (
    <RecordEditor
      id={id}
      kind="product"
      read={readProduct}
      getTitle={({ name }) => name}
      getPath={({ hiddenAt }) => hiddenAt === null && paths.product(id)}
      form={PRODUCT_FORM}
      actions={product => <DeleteProduct product={product} />}
    >
      {record => (
        <>
          <ProductForm {...record} {...rules} />
          {record.item && <PackSizes product={record.item} />}
        </>
      )}
    </RecordEditor>
  )
}

function DeleteProduct({ product }: { product: AdminProduct }) {
  const { name, isReferred } = product
  return (
    <DeleteButton
      noun="product"
      name={name}
      verb={isReferred ? 'Hide' : 'Delete'}
      remove={async () =>
        (await deleteProduct(product)) === 'deleted'
          ? t('{name} was deleted', { name })
          : productHiddenText(name)
      }
    >
      {t(
        isReferred
          ? 'This product has orders or deals, so it will be hidden instead of deleted.'
          : 'This product was never ordered. Deleting it can’t be undone.'
      )}
    </DeleteButton>
  )
}

function ProductForm(props: OpenRecord<AdminProduct> & ProductFormRules) {
  const { sizeOf, products, categories, ...record } = props
  const form = useRecordForm({
    ...record,
    form: PRODUCT_FORM,
    empty: sizeOf ? toNewSize(sizeOf) : toNewProduct(products, categories),
    choices: toChoices(categories),
    save: (latest, edits) => changeProduct(latest.id, toProductChange(latest, edits)),
    name: ({ name }) => name,
    create: async (fields, key) => {
      const { id, name, hiddenAt } = await createProduct({
        ...fields,
        ...(sizeOf && { sizeOf: sizeOf.id }),
        key
      })
      const title = t('{name} was added.', { name })
      if (hiddenAt !== null) return notify({ title, text: t('It is hidden.') })
      const link = { label: t('See it in the shop'), href: paths.product(id) }
      notify({ title, text: t('It is in the shop in a few seconds.'), link })
    }
  })
  const { typed, fill } = form
  const fields = (names: readonly string[], columns: string) => (
    <div className={`grid gap-5 ${columns}`}>
      <FormFields
        // Pack sizes have shared fields in common, so a new one does not show them.
        specs={listProductSpecs(names).filter(({ isShared }) => !(sizeOf && isShared))}
        form={{ ...form, change: (name, value) => fill(withSuggestions(typed, name, value)) }}
        below={{ ingredients: <Allergens form={form} /> }}
      />
    </div>
  )
  return (
    <RecordForm
      label={t('Product')}
      form={form}
      saveLabel={t('Save product')}
      hasAnother={!record.item && !sizeOf}
    >
      <div
        className={
          'grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2 ' +
          'lg:grid-rows-[auto_1fr]'
        }
      >
        {!sizeOf && <ProductPictures form={form} />}
        <div className="min-w-0 lg:col-start-2 lg:row-span-2">
          {fields(MAIN_FIELDS, 'grid-cols-2')}
        </div>
        <div className="grid min-w-0 gap-4 lg:col-start-1">
          {FOLDED_FIELDS.map(({ title, purpose, names }) => (
            <details key={title} className="group rounded-card bg-cream-deep px-4">
              <summary className="flex min-h-14 cursor-pointer list-none items-center gap-4 py-3 hover:text-chilli [&::-webkit-details-marker]:hidden">
                <span className="min-w-0 grow">
                  <b className="block">{t(title)}</b>
                  <span className="block text-sm text-ink/70">{t(purpose)}</span>
                </span>
                <Icon
                  name="plus"
                  className="size-5 transition-[rotate] group-open:[rotate:45deg]"
                />
              </summary>
              <div className="pb-4 pt-2">
                {fields(names, 'grid-cols-[minmax(0,1fr)] sm:grid-cols-2')}
              </div>
            </details>
          ))}
        </div>
      </div>
    </RecordForm>
  )
}

function Allergens({ form: { typed, change } }: { form: RecordFormState }) {
  const text = String(typed['allergens'])
  return (
    <fieldset className="mt-4">
      <legend className="font-semibold">{t('It contains')}</legend>
      <Note>{t('Ticked by what we found in the ingredients. Please check.')}</Note>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] sm:grid-cols-3">
        {ALLERGENS.map(allergen => (
          <Checkbox
            key={allergen}
            name={`contains-${allergen}`}
            label={<span className="first-letter:uppercase">{ALLERGEN_LABELS[allergen]}</span>}
            checked={findAllergens(text).includes(allergen)}
            onChange={isTicked => change('allergens', tickAllergen(text, allergen, isTicked))}
          />
        ))}
      </div>
    </fieldset>
  )
}

export function PackSizes({ product }: { product: AdminProduct }) {
  const products = useStore($products)
  const all = products.state === 'ready' ? products.value : [product]
  const { family } = all.find(({ id }) => id === product.id) ?? product
  const sizes = family
    ? all.filter(other => other.family?.id === family.id).toSorted(compareSizes)
    : []
  const save = (topic: string, action: () => Promise<void>) =>
    void toastErrors(action, ADMIN_MESSAGES.saveFailed, topic)
  return (
    <section aria-labelledby="pack-sizes" className="mt-8 grid gap-3">
      <h3 id="pack-sizes" className="text-lg">
        {t('Pack sizes')}
      </h3>
      <p className="text-ink/70">
        {t(
          sizes.length > 1
            ? 'They share name, texts and pictures: a change here changes all of them. ' +
                'Price, stock and status are their own.'
            : 'Do you sell this product in other sizes too? ' +
                'They share its name, texts and pictures.'
        )}
      </p>
      {sizes.length > 1 && (
        <MovableList
          label={t('Pack sizes')}
          items={sizes}
          getName={toSizeName}
          onOrder={ids => save(product.id, () => orderSizes(product.id, ids))}
          actions={size => (
            <Button
              label={t('Take out')}
              aria-label={t('Take {size} out of the family', { size: toSizeName(size) })}
              onClick={() => save(size.id, () => takeOutOfFamily(size))}
            />
          )}
        >
          {size => (
            <div className="flex flex-wrap items-center gap-x-3">
              <a
                {...viewLink({ product: size.id })}
                aria-current={size.id === product.id ? 'page' : undefined}
                className={
                  'inline-flex min-h-target items-center font-semibold underline ' +
                  'hover:text-chilli aria-[current=page]:no-underline'
                }
              >
                {toSizeName(size)}
              </a>
              <span>{formatRupees(size.price)}</span>
              <span className="text-sm text-ink/70">{formatStock(size)}</span>
              <StockBadges {...size} />
            </div>
          )}
        </MovableList>
      )}
      <p>
        <ButtonLink
          label={t('Add a pack size')}
          {...viewLink({ product: NEW_ID, 'size-of': product.id })}
        />
      </p>
    </section>
  )
}

function toSizeName({ quantity }: AdminProduct) {
  return formatPack(quantity)
}
