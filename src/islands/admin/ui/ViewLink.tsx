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
