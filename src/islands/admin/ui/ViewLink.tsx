import type { AnchorHTMLAttributes } from 'react'
import { pushQuery } from '../../ui/history.ts'

interface ViewLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** For example '?product=halwa', or '' for the list. */
  query: string
}

/** Shows another view of the same page without a page load. */
export function ViewLink({ query, ...link }: ViewLinkProps) {
  return (
    <a
      {...link}
      href={query || '?'}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        pushQuery(query)
      }}
    />
  )
}

interface PaginationProps {
  page: number
  pages: number
  toQuery: (page: number) => string
}

export function Pagination({ page, pages, toQuery }: PaginationProps) {
  if (pages <= 1 && page <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-4">
      {page > 1 && (
        <ViewLink query={toQuery(page - 1)} className="button-quiet">
          Previous
        </ViewLink>
      )}
      <p>
        Page {page} of {pages}
      </p>
      {page < pages && (
        <ViewLink query={toQuery(page + 1)} className="button-quiet">
          Next
        </ViewLink>
      )}
    </nav>
  )
}
