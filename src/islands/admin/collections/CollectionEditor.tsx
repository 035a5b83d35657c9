import { COLLECTION_LABELS, formatCollectionField } from '#lib/admin/collection-form.ts'
import { ADMIN_MESSAGES, collectionDeletedText } from '#lib/admin/messages.ts'
import type { AdminCollection } from '#lib/contract/collections.ts'
import { paths } from '#lib/paths.ts'
import { deleteCollection, readCollection } from '#lib/stores/admin/collections.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { RecordView, WebsiteLink } from '../ui/RecordView.tsx'
import { CollectionForm } from './CollectionForm.tsx'

export function CollectionEditor({ id, onClose }: { id: string; onClose: () => void }) {
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
