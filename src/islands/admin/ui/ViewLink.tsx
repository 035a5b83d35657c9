import type { AnchorHTMLAttributes } from 'react'
import { pushQuery } from '../../ui/history.ts'

interface ViewLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** `?product=halwa`, or '' for the list. */
  query: string
}

/** Opens another view of this page without loading it again. */
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
