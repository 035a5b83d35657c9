import type { MouseEvent } from 'react'
import { pushQuery } from '../../ui/history.ts'

/** Attributes of a link that shows another view of the same page without a page load. An empty query is the list. */
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
