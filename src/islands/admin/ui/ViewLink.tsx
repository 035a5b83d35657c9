import type { AnchorHTMLAttributes } from 'react'
import { pushQuery } from '../../ui/history.ts'

interface ViewLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Of this page: `?product=halwa`, or '' for the list. */
  query: string
}

/** A link to another view of this page, which needs no loading; in a new tab it is a link like any other. */
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
