import { collections, orderCollections, setCollectionHidden } from '#lib/stores/admin/records.ts'
import { COLLECTION_FORM, EMPTY_COLLECTION } from '#lib/admin/content-forms.ts'
import { ADMIN_MESSAGES, deletedText } from '#lib/admin/messages.ts'
import type { AdminCollection } from '#lib/contract/collections.ts'
import { formatProductCount } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { notify } from '#lib/stores/toasts.ts'
import { EmptyState } from '../../ui/States.tsx'
import { toQuery } from '../../ui/history.ts'
import { Badge } from '../ui/DataTable.tsx'
import { viewLink, useReturnFocus } from '../ui/views.tsx'
import { RecordEditor } from '../ui/RecordEditor.tsx'
import { DeleteButton, RecordPage, ToggleButton } from '../ui/RecordPage.tsx'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { MovableList } from '../ui/MovableList.tsx'
import { PhotoField, usePhoto } from '../ui/PictureDrop.tsx'
import { FormFields } from '../ui/FormFields.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { useRecordForm } from '../ui/use-record-form.ts'
import { ProductPicker } from './ProductPicker.tsx'

const texts = {
  none: 'Collections show products together on a page of their own, such as gifts for Diwali.'
}

export function CollectionsPage() {
  return (
    <RecordPage
      section="collections"
      noun="collection"
      addLabel="Add collection"
      store={collections}
      editor={id => <CollectionEditor key={id} id={id} />}
    >
      {list => <CollectionList list={list} />}
    </RecordPage>
  )
}

function CollectionEditor({ id }: { id: string }) {
  return (
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
          Its products stay in the shop. Links to its page will no longer work.
        </DeleteButton>
      )}
    >
      {(collection, reset) => <CollectionForm id={id} original={collection} onReset={reset} />}
    </RecordEditor>
  )
}

function CollectionList({ list }: { list: readonly AdminCollection[] }) {
  useReturnFocus()
  if (list.length === 0) return <EmptyState text={texts.none} />
  return (
    <div className="grid gap-3">
      <p className="text-ink/70">The home page and the product list show them in this order.</p>
      <MovableList
        label="Collections"
        items={list}
        getName={({ name }) => name}
        onOrder={ids =>
          void toastErrors(() => orderCollections(ids), ADMIN_MESSAGES.saveFailed, 'order')
        }
        actions={collection => {
          const { id, name, hiddenAt } = collection
          return (
            <ToggleButton
              label={hiddenAt === null ? 'Hide' : 'Show'}
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
              {...viewLink(toQuery({ collection: id }))}
              className="flex min-h-target items-center hover:text-chilli"
            >
              <span className="min-w-0">
                <span className="block break-words font-semibold">{name}</span>
                <span lang="ta" className="block break-words text-sm text-ink/70">
                  {nameTamil}
                </span>
              </span>
            </a>
            <p className="flex flex-wrap gap-2 text-sm text-ink/70">
              {formatProductCount(products.length)}
              {hiddenAt !== null && <Badge text="Hidden" />}
            </p>
          </>
        )}
      </MovableList>
    </div>
  )
}

interface CollectionFormProps {
  id: string
  original: AdminCollection | undefined
  onReset: (collection?: AdminCollection) => void
}

export function CollectionForm({ id, original, onReset }: CollectionFormProps) {
  const form = useRecordForm({
    form: COLLECTION_FORM,
    draftName: `collection ${id}`,
    item: original,
    empty: EMPTY_COLLECTION,
    read: collection => collections.read(collection.id),
    save: ({ id: saved, version }, edits) => collections.change(saved, { ...edits, version }),
    savedMessage: ({ name }) => ({ title: name, text: ADMIN_MESSAGES.saved }),
    create: async (fields, key) => {
      await collections.create({ ...fields, key })
      notify({ title: `“${fields.name}” was added`, text: ADMIN_MESSAGES.websiteUpdates })
    },
    onReset
  })
  const photo = usePhoto(form, 'name')
  return (
    <RecordForm
      label="Collection"
      form={form}
      saveLabel="Save collection"
      waitingLabel={photo.isUploading && 'Waiting for the picture…'}
    >
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
            ),
            picture: <PhotoField form={form} photo={photo} specs={COLLECTION_FORM.specs} />
          }}
        />
      </div>
    </RecordForm>
  )
}
