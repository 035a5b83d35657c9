import { useEffect, useRef, type ReactNode, type RefObject, type MouseEvent } from 'react'
import { ButtonLink } from '../../ui/Button.tsx'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { useDebounced } from '../../ui/hooks.ts'

/** Stands for a new record in the URL. Real ids begin with a letter or digit. */
export const NEW_ID = '+'

export function BackLink({ noun, listQuery = '' }: { noun: string; listQuery?: string }) {
  return (
    <p>
      <ButtonLink look="link" label={`← All ${noun}s`} {...viewLink(listQuery)} />
    </p>
  )
}

let lastOpenedQuery: string | undefined

/** Takes the focus, which a click on a link within the page does not move. */
export function FocusedHeading({ id, children }: { id?: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    lastOpenedQuery = location.search
  }, [])
  return (
    <h2 ref={heading} id={id} tabIndex={-1} className="break-words text-xl outline-none">
      {children}
    </h2>
  )
}

/** Back in a list, focuses the link of the view that was open, or `fallback`. */
export function useReturnFocus(fallback?: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (lastOpenedQuery === undefined) return
    const link = document.querySelector<HTMLElement>(`a[href="${CSS.escape(lastOpenedQuery)}"]`)
    const target = link ?? fallback?.current
    target?.focus()
    // A list that appears once more, for example after a search, must not take the focus.
    lastOpenedQuery = undefined
  }, [])
}

export function WebsiteLink({ path }: { path: string }) {
  return (
    <p className="mb-4">
      <ButtonLink look="link" label="View on the website" href={path} />
    </p>
  )
}

const DEBOUNCE_MS = 250

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

/** A link that shows another view without a page load. An empty query is the list. */
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
