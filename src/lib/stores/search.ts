import { atom, computed } from 'nanostores'
import { api } from '../api.ts'
import type { SearchCard } from '../catalog-filter.ts'
import type { SearchData } from '../contract/search.ts'
import type { Search } from '../search/search.ts'
import { $catalog, loadCatalog } from './catalog.ts'
import { loadInto, type LoadState } from './load-state.ts'

type Parts = typeof import('../search/search.ts') & { data: SearchData }

const $parts = atom<LoadState<Parts>>({ state: 'loading' })

export interface LoadedSearch extends Search<SearchCard> {
  data: SearchData
}

export const $search = computed([$parts, $catalog], (parts, catalog): LoadState<LoadedSearch> => {
  if (parts.state !== 'ready') return parts
  if (catalog.state !== 'ready') return catalog
  const { createSearch, data } = parts.value
  return { state: 'ready', value: { ...createSearch(catalog.value, data), data } }
})

let loading: Promise<unknown> | undefined

/** Loads products, matcher and synonyms. Call it when a search field gets the focus. Repeated calls load only what is missing. */
export async function loadSearch(): Promise<void> {
  loading ??= Promise.all([
    $parts.get().state !== 'ready' && loadParts(),
    $catalog.get().state !== 'ready' && loadCatalog()
  ])
  await loading.finally(() => (loading = undefined))
}

function loadParts(): Promise<void> {
  return loadInto($parts, async () => {
    const [matcher, data] = await Promise.all([import('../search/search.ts'), api('GET /search')])
    return { ...matcher, data }
  })
}
