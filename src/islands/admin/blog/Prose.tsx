import type { MouseEvent } from 'react'

/** `html` is sanitised by the server. Same markup as components/Prose.astro. */
export function Prose({ html }: { html: string }) {
  return <div className="prose mt-6" onClick={openInNewTab} dangerouslySetInnerHTML={{ __html: html }} />
}

// A click on a link must not leave the unsaved form.
function openInNewTab(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  open(link.href, '_blank', 'noopener')
}
