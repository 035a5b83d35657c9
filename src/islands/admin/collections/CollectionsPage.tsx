import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { COLLECTION_LABELS, formatCollectionField } from '#lib/admin/collection-form.ts'
import { ADMIN_MESSAGES, collectionDeletedText } from '#lib/admin/messages.ts'
import type { AdminCollection } from '#lib/contract/collections.ts'
import { paths } from '#lib/paths.ts'
import { $collections, deleteCollection, loadCollections, readCollection } from '#lib/stores/admin/collections.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID, RecordView, WebsiteLink } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/view-link.ts'
import { CollectionForm } from './CollectionForm.tsx'
import { CollectionList } from './CollectionList.tsx'

export function CollectionsPage() {
  const id = new URLSearchParams(useQuery()).get('collection') || undefined
  const addButton = <ButtonLink look="primary" label="Add collection" {...viewLink(toQuery({ collection: NEW_ID }))} />
  return (
    <AdminFrame section="collections" action={!id && addButton}>
      {() => <CollectionsView id={id} />}
    </AdminFrame>
  )
}

function CollectionsView({ id }: { id: string | undefined }) {
  const collections = useStore($collections)
  useEffect(() => void loadCollections(), [])

  if (id !== undefined) return <CollectionEditor key={id} id={id} onClose={() => pushQuery('')} />
  return (
    <Loaded state={collections} label="collections" onRetry={() => void loadCollections()}>
      {list => <CollectionList collections={list} />}
    </Loaded>
  )
}

function CollectionEditor({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <RecordView id={id} kind="collection" read={readCollection} getTitle={({ name }) => name}>
      {(collection, reset) => (
        <>
          {collection?.hiddenAt === null && collection.products.length > 0 && (
            <WebsiteLink path={paths.collection(id)} />
          )}
          <CollectionForm id={id} original={collection} onReset={reset} onClose={onClose} />
          {collection && (
            <div className="mt-8 pb-4">
              <ChangeHistory kinds={['collection']} id={id} labels={COLLECTION_LABELS} format={formatCollectionField}>
                <DeleteCollection collection={collection} onDone={onClose} />
              </ChangeHistory>
            </div>
          )}
        </>
      )}
    </RecordView>
  )
}

function DeleteCollection({ collection, onDone }: { collection: AdminCollection; onDone: () => void }) {
  const deleteAndClose = async () => {
    await deleteCollection(collection)
    notify({ title: collectionDeletedText(collection.name), text: ADMIN_MESSAGES.saved })
    onDone()
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
