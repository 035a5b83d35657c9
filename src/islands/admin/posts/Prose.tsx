import type { MouseEvent } from 'react'

/** The server has sanitised `html`. The markup is the same as in components/Prose.astro. */
export function Prose({ html }: { html: string }) {
  return <div className="prose mt-6" onClick={openInNewTab} dangerouslySetInnerHTML={{ __html: html }} />
}

// Links open in a new tab, because a form on this page may have unsaved changes.
function openInNewTab(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  open(link.href, '_blank', 'noopener')
}
