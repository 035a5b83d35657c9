import { useRef, type MouseEvent, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { useDebounced, useLoad } from '../../ui/hooks.ts'

interface PreviewProps {
  content: string
  /** The server renders the preview, because the preview must match the published page. */
  render: (content: string) => Promise<string>
  isSideBySide: boolean
  /** Shown above the text. */
  children?: ReactNode
}

export function Preview({ content, render, isSideBySide, children }: PreviewProps) {
  const { html, failure, retry } = usePreview(content, render)
  const isEmpty = content.trim() === '' && !children
  return (
    <section
      aria-label="Preview"
      tabIndex={0}
      className={`min-w-0 rounded-card border border-brass/60 p-4 sm:p-6 ${isSideBySide ? 'overflow-auto lg:max-h-[calc(70vh+3.5rem)]' : 'mx-auto max-w-3xl'}`}
    >
      {failure && (
        <p role="alert" className="mb-4">
          The preview could not be updated. {failure}{' '}
          <Button look="link" label="Try again" onClick={retry} />
        </p>
      )}
      {isEmpty ? (
        <p className="text-ink/70">Preview: start writing to see the text as readers will.</p>
      ) : (
        <>
          {children}
          <Prose html={html} />
        </>
      )}
    </section>
  )
}

/** The server has sanitised `html`. The markup is the same as in components/Prose.astro. */
function Prose({ html }: { html: string }) {
  return (
    <div
      className="prose [&:not(:first-child)]:mt-6"
      onClick={openInNewTab}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

// Links open in a new tab, because a form on this page may have unsaved changes.
function openInNewTab(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  open(link.href, '_blank', 'noopener')
}

const DEBOUNCE_MS = 400

/** Returns the previous HTML until the new HTML has loaded. */
function usePreview(content: string, render: (content: string) => Promise<string>) {
  const latestHtml = useRef('')
  const [result, reload] = useLoad(useDebounced(content, DEBOUNCE_MS), async () =>
    content.trim() === '' ? '' : await render(content)
  )
  if (result.state === 'ready') latestHtml.current = result.value
  const failure = result.state === 'failed' ? result.error.message : undefined
  return { html: latestHtml.current, failure, retry: () => void reload() }
}
