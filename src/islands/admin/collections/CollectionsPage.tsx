import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { COLLECTION_LABELS, formatCollectionField } from '#lib/admin/collection-form.ts'
import { ADMIN_MESSAGES, collectionDeletedText } from '#lib/admin/messages.ts'
import type { AdminCollection } from '#lib/contract/collections.ts'
import { formatProductCount } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import {
  $collections,
  deleteCollection,
  loadCollections,
  orderCollections,
  readCollection,
  setCollectionHidden
} from '#lib/stores/admin/collections.ts'
import { notify } from '#lib/stores/toasts.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Badge } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { RecordEditor } from '../ui/RecordEditor.tsx'
import { NEW_ID, useReturnFocus } from '../ui/RecordView.tsx'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/list-query.ts'
import { CollectionForm } from './CollectionForm.tsx'
import { MovableList } from './MovableList.tsx'

export function CollectionsPage() {
  const id = new URLSearchParams(useQuery()).get('collection') || undefined
  const addButton = (
    <ButtonLink
      look="primary"
      label="Add collection"
      {...viewLink(toQuery({ collection: NEW_ID }))}
    />
  )
  return (
    <AdminFrame section="collections" action={!id && addButton}>
      {() => <CollectionsView id={id} />}
    </AdminFrame>
  )
}

function CollectionsView({ id }: { id: string | undefined }) {
  const collections = useStore($collections)
  useEffect(() => void loadCollections(), [])

  if (id !== undefined) return <CollectionEditor key={id} id={id} />
  return (
    <Loaded state={collections} label="collections" onRetry={() => void loadCollections()}>
      {list => <CollectionList collections={list} />}
    </Loaded>
  )
}

function CollectionEditor({ id }: { id: string }) {
  return (
    <RecordEditor
      id={id}
      kind="collection"
      read={readCollection}
      getTitle={({ name }) => name}
      getPath={({ hiddenAt, products }) =>
        hiddenAt === null && products.length > 0 && paths.collection(id)
      }
      history={{ labels: COLLECTION_LABELS, format: formatCollectionField }}
      actions={collection => <DeleteCollection collection={collection} />}
    >
      {(collection, reset) => <CollectionForm id={id} original={collection} onReset={reset} />}
    </RecordEditor>
  )
}

function DeleteCollection({ collection }: { collection: AdminCollection }) {
  const deleteAndClose = async () => {
    await deleteCollection(collection)
    notify({ title: collectionDeletedText(collection.name), text: ADMIN_MESSAGES.websiteUpdates })
    pushQuery('')
  }
  return (
    <ConfirmButton
      label="Delete collection"
      title="Delete this collection?"
      confirmLabel={`Delete “${collection.name}”`}
      busyLabel="Deleting…"
      errorTitle={ADMIN_MESSAGES.saveFailed}
      onConfirm={deleteAndClose}
    >
      Its products stay in the shop. Links to its page will no longer work.
    </ConfirmButton>
  )
}

function CollectionList({ collections }: { collections: readonly AdminCollection[] }) {
  useReturnFocus()
  if (collections.length === 0) return <EmptyState text={ADMIN_MESSAGES.collectionsEmpty} />
  return (
    <div className="grid gap-3">
      <p className="text-ink/70">The home page and the product list show them in this order.</p>
      <MovableList
        label="Collections"
        items={collections}
        getName={({ name }) => name}
        onOrder={ids =>
          void toastErrors(() => orderCollections(ids), ADMIN_MESSAGES.saveFailed, 'order')
        }
        actions={collection => <HideButton collection={collection} />}
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

function HideButton({ collection }: { collection: AdminCollection }) {
  const isHidden = collection.hiddenAt !== null
  const label = isHidden ? 'Show' : 'Hide'
  const hide = () => setCollectionHidden(collection, !isHidden)
  const toggle = () => toastErrors(hide, ADMIN_MESSAGES.saveFailed, collection.id)
  return (
    <Button
      label={label}
      aria-label={`${label} ${collection.name}`}
      onClick={() => void toggle()}
    />
  )
}
