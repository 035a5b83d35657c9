import { useRef, type MouseEvent } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { PostFormValues } from '#lib/admin/post-form.ts'
import type { Picture } from '#lib/contract/values.ts'
import { renderPreview } from '#lib/stores/admin/posts.ts'
import { formatDate, toStartOfDay } from '#lib/time.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { Button } from '../../ui/Button.tsx'
import { useDebounced, useLoad } from '../../ui/hooks.ts'

interface PreviewProps {
  formValues: PostFormValues
  picture: Picture | undefined
  isSideBySide: boolean
}

/** The server renders the preview, because the preview must match the published page. */
export function Preview({ formValues: { title, author, day, content }, picture, isSideBySide }: PreviewProps) {
  const { html, failure, retry } = usePreview(content)
  const isEmpty = `${title}${content}`.trim() === '' && !picture
  return (
    <section
      aria-label="Preview"
      tabIndex={0}
      className={`min-w-0 rounded-card border border-brass/60 p-4 sm:p-6 ${isSideBySide ? 'overflow-auto lg:max-h-[calc(70vh+3.5rem)]' : 'mx-auto max-w-3xl'}`}
    >
      {failure && (
        <p role="alert" className="mb-4">
          {ADMIN_MESSAGES.previewFailed} {failure} <Button look="link" label="Try again" onClick={retry} />
        </p>
      )}
      {isEmpty ? (
        <p className="text-ink/70">{ADMIN_MESSAGES.previewNone}</p>
      ) : (
        <>
          <p className={`break-words font-serif text-2xl font-semibold ${isSideBySide ? '' : 'sm:text-3xl'}`}>
            {title}
          </p>
          <p className="mt-3 text-ink/70">
            {author} · {/^\d{4}-\d\d-\d\d$/.test(day) && formatDate(toStartOfDay(day))}
          </p>
          {picture && (
            <div className="my-6">
              <ProductPicture
                picture={picture}
                sizes="(min-width: 768px) 720px, calc(100vw - 2rem)"
                maxWidth={1080}
                className="aspect-video w-full rounded-card object-cover shadow-soft"
              />
            </div>
          )}
          <Prose html={html} />
        </>
      )}
    </section>
  )
}

/** The server has sanitised `html`. The markup is the same as in components/Prose.astro. */
function Prose({ html }: { html: string }) {
  return <div className="prose mt-6" onClick={openInNewTab} dangerouslySetInnerHTML={{ __html: html }} />
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
function usePreview(content: string) {
  const latestHtml = useRef('')
  const [result, reload] = useLoad(useDebounced(content, DEBOUNCE_MS), async () =>
    content.trim() === '' ? '' : await renderPreview(content)
  )
  if (result.state === 'ready') latestHtml.current = result.value
  const failure = result.state === 'failed' ? result.error.message : undefined
  return { html: latestHtml.current, failure, retry: () => void reload() }
}
