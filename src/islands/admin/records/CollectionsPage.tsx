import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { COLLECTION_FORM, EMPTY_COLLECTION } from '#lib/admin/content-forms.ts'
import { ADMIN_MESSAGES, deletedText } from '#lib/admin/messages.ts'
import { COLLECTION_LIMITS } from '#lib/constants.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { AdminCollection } from '#lib/contract/collections.ts'
import { langOf, plural, t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { $products, loadProducts } from '#lib/stores/admin/products.ts'
import { collections, orderCollections, setCollectionHidden } from '#lib/stores/admin/records.ts'
import { notify } from '#lib/stores/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Field.tsx'
import { EmptyState } from '../../ui/States.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import { Badge, matchesSearch } from '../ui/DataTable.tsx'
import { FormFields, MissingTexts } from '../ui/FormFields.tsx'
import { MovableList } from '../ui/MovableList.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { DeleteButton, RecordEditor, RecordPage, ToggleButton } from '../ui/RecordPage.tsx'
import { type OpenRecord, useRecordForm } from '../ui/use-record-form.ts'
import { Note, useReturnFocus, viewLink } from '../ui/views.tsx'

export function CollectionsPage() {
  return (
    <RecordPage
      section="collections"
      noun="collection"
      addLabel={t('Add collection')}
      store={collections}
      editor={id => (
        <RecordEditor
          id={id}
          kind="collection"
          form={COLLECTION_FORM}
          read={collections.read}
          getTitle={({ name }) => name}
          getPath={({ hiddenAt, products }) =>
            hiddenAt === null && products.length > 0 && paths.collection(id)
          }
          actions={collection => (
            <DeleteButton
              noun="collection"
              name={`“${collection.name}”`}
              remove={async () => {
                await collections.remove(collection)
                return deletedText(collection.name)
              }}
            >
              {t('Its products stay in the shop. Links to its page will no longer work.')}
            </DeleteButton>
          )}
        >
          {record => <CollectionForm {...record} />}
        </RecordEditor>
      )}
    >
      {list => <CollectionList list={list} />}
    </RecordPage>
  )
}

function CollectionList({ list }: { list: readonly AdminCollection[] }) {
  useReturnFocus()
  if (list.length === 0) {
    const text = t(
      'Collections show products on a page of their own and sell them as a box, ' +
        'for example for Deepavali.'
    )
    return <EmptyState text={text} />
  }
  return (
    <div className="grid gap-3">
      <p className="text-ink/70">
        {t('The home page and the product list show them in this order.')}
      </p>
      <MissingTexts specs={COLLECTION_FORM.specs} items={list} />
      <MovableList
        label={t('Collections')}
        items={list}
        getName={({ name }) => name}
        onOrder={ids =>
          void toastErrors(() => orderCollections(ids), ADMIN_MESSAGES.saveFailed, 'order')
        }
        actions={collection => {
          const { id, name, hiddenAt } = collection
          return (
            <ToggleButton
              label={t(hiddenAt === null ? 'Hide' : 'Show')}
              id={id}
              name={name}
              action={() => setCollectionHidden(collection, hiddenAt === null)}
            />
          )
        }}
      >
        {({ id, name, nameTamil, products, hiddenAt }) => (
          <>
            <a
              {...viewLink({ collection: id })}
              className="flex min-h-target items-center hover:text-chilli"
            >
              <span className="min-w-0">
                <span lang={langOf(name)} className="block break-words font-semibold">
                  {name}
                </span>
                <Note lang={langOf(nameTamil)}>{nameTamil}</Note>
              </span>
            </a>
            <p className="flex flex-wrap gap-2 text-sm text-ink/70">
              {plural(products.length, '{count} product', '{count} products')}
              {hiddenAt !== null && <Badge text={t('Hidden')} />}
            </p>
          </>
        )}
      </MovableList>
    </div>
  )
}

export function CollectionForm(record: OpenRecord<AdminCollection>) {
  const form = useRecordForm({
    ...record,
    form: COLLECTION_FORM,
    empty: EMPTY_COLLECTION,
    save: ({ id, version }, edits) => collections.change(id, { ...edits, version }),
    name: ({ name }) => name,
    create: async (fields, key) => {
      await collections.create({ ...fields, key })
      notify({ title: t('“{name}” was added', fields), text: ADMIN_MESSAGES.websiteUpdates })
    }
  })
  return (
    <RecordForm label={t('Collection')} form={form} saveLabel={t('Save collection')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <FormFields
          specs={COLLECTION_FORM.specs}
          form={form}
          own={{
            products: (
              <ProductPicker
                state={form.field('products')}
                ids={form.typed['products'] as string[]}
                onChange={ids => form.change('products', ids)}
              />
            )
          }}
        />
      </div>
    </RecordForm>
  )
}

interface ProductPickerProps {
  state: FieldState
  ids: readonly string[]
  onChange: (ids: readonly string[]) => void
}

const MAX_RESULTS = 6

/** A product is one entry, in the pack size that the collection's page offers first. */
function ProductPicker({ state, ids, onChange }: ProductPickerProps) {
  const products = useStore($products)
  const [searchText, setSearchText] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => void loadProducts(), [])
  const all = products.state === 'ready' ? products.value : []
  const chosen = ids.flatMap(chosenId => all.find(product => product.id === chosenId) ?? [])
  const found = searchText.trim() === '' ? [] : findProducts(all, chosen, searchText)

  const add = (product: AdminProduct) => {
    onChange([...ids, product.id])
    setSearchText('')
    search.current?.focus()
  }
  const remove = (product: AdminProduct) => {
    onChange(ids.filter(other => other !== product.id))
    search.current?.focus()
  }
  const addFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter would submit the form.
    event.preventDefault()
    if (found[0]) add(found[0])
  }

  return (
    <fieldset className="relative grid min-w-0 gap-3" aria-describedby={state.describedBy}>
      <legend className="mb-2 font-semibold">{t('Products')}</legend>
      <Problem state={state} />
      {chosen.length > 0 && (
        <MovableList
          label={t('Products of the collection')}
          items={chosen}
          getName={({ name }) => name}
          onOrder={onChange}
          onRemove={remove}
        >
          {product => (
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 break-words">{toLabel(product)}</span>
              {product.hiddenAt !== null && <Badge text={t('Hidden')} />}
            </p>
          )}
        </MovableList>
      )}
      {ids.length < COLLECTION_LIMITS.products && (
        <div>
          <label htmlFor={id} className="mb-1 block text-sm font-semibold">
            {t('Add a product')}
          </label>
          <input
            ref={search}
            id={id}
            data-field={state.name}
            type="search"
            className="field"
            placeholder={t('Name of the product')}
            value={searchText}
            onChange={({ target }) => setSearchText(target.value)}
            onKeyDown={addFirst}
          />
          <p role="status" className="mt-1 text-sm text-ink/70 empty:hidden">
            {searchText.trim() !== '' && found.length === 0 && t('No products found.')}
          </p>
          <ul className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {found.map(product => (
              <li key={product.id} className="max-w-full">
                <Button
                  label={t('Add {name}', { name: toLabel(product) })}
                  className="max-w-full"
                  onClick={() => add(product)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </fieldset>
  )
}

function toLabel({ name, quantity }: AdminProduct) {
  return `${name}, ${formatPack(quantity)}`
}

function findProducts(
  products: readonly AdminProduct[],
  chosen: readonly AdminProduct[],
  searchText: string
): AdminProduct[] {
  const taken = new Set(chosen.map(toCardId))
  return products
    .filter(product => !taken.has(toCardId(product)))
    .filter(({ id, name, nameTamil }) => matchesSearch([name, nameTamil, id], searchText))
    .slice(0, MAX_RESULTS)
}

function toCardId({ id, family }: AdminProduct) {
  return family ? `family ${family.id}` : id
}
