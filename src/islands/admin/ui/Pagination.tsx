import { ViewLink } from './ViewLink.tsx'

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
