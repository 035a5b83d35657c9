import { atom, readonlyType } from 'nanostores'
import { api } from '../../api.ts'
import type {
  AdminCollection,
  CollectionChange,
  CollectionDraft
} from '../../contract/collections.ts'
import { createQueue, loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { deleteOnce, offerUndo, orReload } from './undo.ts'

const $state = atom<LoadState<readonly AdminCollection[]>>({ state: 'loading' })

export const $collections = readonlyType($state)

export function loadCollections(): Promise<void> {
  return loadInto($state, () => api('GET /admin/collections'))
}

export async function readCollection(id: string): Promise<AdminCollection> {
  return storeCollection(await api('GET /admin/collections/{id}', { params: { id } }))
}

export async function createCollection(draft: CollectionDraft): Promise<AdminCollection> {
  return storeCollection(await api('POST /admin/collections', { body: draft }))
}

export async function changeCollection(
  id: string,
  change: CollectionChange
): Promise<AdminCollection> {
  return storeCollection(
    await api('PATCH /admin/collections/{id}', { params: { id }, body: change })
  )
}

export async function deleteCollection({ id, version }: AdminCollection): Promise<void> {
  const query = { version: String(version) }
  await deleteOnce(
    api('DELETE /admin/collections/{id}', { params: { id }, query }),
    'COLLECTION_NOT_FOUND'
  )
  updateLoaded($state, collections => collections.filter(collection => collection.id !== id))
}

const saveInTurn = createQueue()

/** Shows the new order at once. If it can't be saved, shows the order of the server again. */
export async function orderCollections(ids: readonly string[]): Promise<void> {
  updateLoaded($state, collections =>
    ids.flatMap(id => collections.find(collection => collection.id === id) ?? [])
  )
  try {
    const ordered = await saveInTurn(() =>
      api('PUT /admin/collections/order', { body: { ids: [...ids] } })
    )
    if (ordered) updateLoaded($state, () => ordered)
  } catch (error) {
    await loadCollections()
    throw error
  }
}

export async function setCollectionHidden(
  { id, version, name }: AdminCollection,
  hidden: boolean
): Promise<void> {
  const saved = await orReload(changeCollection(id, { version, hidden }), loadCollections)
  offerUndo({
    text: hidden ? `“${name}” is hidden` : `“${name}” is in the shop`,
    undo: () => changeCollection(id, { version: saved.version, hidden: !hidden })
  })
}

/** A new collection is the last one. */
function storeCollection(collection: AdminCollection): AdminCollection {
  updateLoaded($state, collections =>
    collections.some(({ id }) => id === collection.id)
      ? collections.map(other => (other.id === collection.id ? collection : other))
      : [...collections, collection]
  )
  return collection
}
