import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { SearchData } from '../contract/content.ts'
import { ShopError } from '../errors.ts'
import { loadInto, type LoadState } from './load-state.ts'

type Matcher = Pick<typeof import('../search/search.ts'), 'createSearch'> & { data: SearchData }

const $loaded = atom<LoadState<Matcher>>({ state: 'loading' })

export const $matcher = readonlyType($loaded)

let loading: Promise<void> | undefined

/** Call it when a search field gets the focus. */
export function loadMatcher(): Promise<void> {
  if ($loaded.get().state === 'failed') loading = undefined
  return (loading ??= loadInto($loaded, async () => {
    const script = import('../search/search.ts').catch((cause: unknown) => {
      throw new ShopError('OFFLINE', { cause })
    })
    const [{ createSearch }, data] = await Promise.all([script, api('GET /search')])
    return { createSearch, data }
  }))
}
