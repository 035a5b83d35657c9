import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminCollection } from '#lib/contract/collections.ts'
import { formatProductCount } from '#lib/messages.ts'
import { orderCollections, setCollectionHidden } from '#lib/stores/admin/collections.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toQuery } from '../../ui/history.ts'
import { Badge } from '../ui/DataTable.tsx'
import { NEW_ID, useReturnFocus } from '../ui/RecordView.tsx'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/view-link.ts'
import { MovableList } from './MovableList.tsx'

export function CollectionList({ collections }: { collections: readonly AdminCollection[] }) {
  useReturnFocus()
  if (collections.length === 0) {
    return (
      <EmptyState text={ADMIN_MESSAGES.collectionsEmpty}>
        <ButtonLink look="primary" label="Add the first collection" {...viewLink(toQuery({ collection: NEW_ID }))} />
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-3">
      <p className="text-ink/70">The home page and the product list show them in this order.</p>
      <MovableList
        label="Collections"
        items={collections}
        getName={({ name }) => name}
        onOrder={ids => void toastErrors(() => orderCollections(ids), ADMIN_MESSAGES.saveFailed, 'order')}
        actions={collection => <HideButton collection={collection} />}
      >
        {({ id, name, nameTamil, products, hiddenAt }) => (
          <>
            <a {...viewLink(toQuery({ collection: id }))} className="flex min-h-target items-center hover:text-chilli">
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
  const toggle = () =>
    toastErrors(() => setCollectionHidden(collection, !isHidden), ADMIN_MESSAGES.saveFailed, collection.id)
  return <Button label={label} aria-label={`${label} ${collection.name}`} onClick={() => void toggle()} />
}
