import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $collections, loadCollections } from '#lib/stores/admin/collections.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/view-link.ts'
import { CollectionEditor } from './CollectionEditor.tsx'
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
