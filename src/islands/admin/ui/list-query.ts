import type { MouseEvent } from 'react'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { useDebounced } from '../../ui/hooks.ts'

const DEBOUNCE_MS = 250

/**
 * Search, filter and page of a list, which are stored in the URL. `filterName` is the filter's
 * parameter.
 */
export function useListQuery(filterName: string) {
  const query = useQuery()
  const params = new URLSearchParams(query)
  const searchText = params.get('q') ?? ''
  const filter = params.get(filterName) ?? ''
  const page = parsePage(params)
  const search = useDebounced(searchText.trim(), DEBOUNCE_MS)
  return {
    searchText,
    filter,
    page,
    request: {
      ...(search !== '' && { q: search }),
      ...(filter !== '' && { [filterName]: filter }),
      ...(page > 1 && { page: String(page) })
    },
    onSearch: (text: string) => replaceQuery(changeQuery(query, { q: text })),
    onFilter: (id: string) => pushQuery(changeQuery(query, { [filterName]: id })),
    toPageQuery: (target: number) => changeQuery(query, { page: String(target) })
  }
}

export function parsePage(params: URLSearchParams): number {
  return Math.max(1, Number(params.get('page')) || 1)
}

/** Resets the page to 1, unless `change` sets a page. */
export function changeQuery(query: string, change: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ page: '', ...change })) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const changed = params.toString()
  return changed && `?${changed}`
}

/**
 * Attributes of a link that shows another view of the same page without a page load. An empty query
 * is the list.
 */
export function viewLink(query: string) {
  return {
    href: query || '?',
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      pushQuery(query)
    }
  }
}
