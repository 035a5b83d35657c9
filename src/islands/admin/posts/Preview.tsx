import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { PostFormValues } from '#lib/admin/post-form.ts'
import type { Picture } from '#lib/contract/values.ts'
import { formatDate, toStartOfDay } from '#lib/time.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { Prose } from './Prose.tsx'
import { usePreview } from './use-preview.ts'

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
          {ADMIN_MESSAGES.previewFailed} {failure}{' '}
          <button type="button" className="link target" onClick={retry}>
            Try again
          </button>
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
                image={`${picture.key}.jpg`}
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
