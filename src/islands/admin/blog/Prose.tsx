import type { MouseEvent } from 'react'

/** HTML that the shop has made of Markdown, which lets only the marks of a text through. The twin of components/Prose.astro. */
export function Prose({ html }: { html: string }) {
  return <div className="prose mt-6" onClick={openInNewTab} dangerouslySetInnerHTML={{ __html: html }} />
}

// Whoever tries a link of a text that is still being written does not leave it.
function openInNewTab(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  open(link.href, '_blank', 'noopener')
}
