import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { publishingKind, publishingText, type PublishingKind } from '#lib/admin/publishing-view.ts'
import { paths } from '#lib/paths.ts'
import { $publishing, watchPublishing } from '#lib/stores/admin/publishing.ts'

const DOTS: Readonly<Record<PublishingKind, string>> = {
  busy: 'bg-turmeric motion-safe:animate-pulse',
  failed: 'bg-chilli',
  live: 'bg-leaf',
  none: 'bg-ink/50'
}

export function PublishingBar() {
  const { publishing, unavailable: absent, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  if (absent) return null
  const kind = publishing && publishingKind(publishing)
  const text = publishing ? publishingText(publishing) : failure && ADMIN_MESSAGES.publishUnknown
  return (
    <div className="-mt-2 mb-4 min-h-target text-sm">
      {text && (
        <a href={paths.adminPublishing} className="flex min-h-target min-w-0 items-center gap-2 hover:text-chilli">
          <span aria-hidden="true" className={`h-2.5 w-2.5 shrink-0 rounded-full ${DOTS[kind ?? 'none']}`} />
          <span className={`truncate ${kind === 'failed' ? 'font-semibold text-chilli' : ''}`}>{text}</span>
        </a>
      )}
      <StatusAnnouncer kind={kind} text={text ?? ''} />
    </div>
  )
}

/** Announces changes to screen readers, but not the state at page load. */
function StatusAnnouncer({ kind, text }: { kind: PublishingKind | undefined; text: string }) {
  const before = useRef(kind)
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    if (before.current !== undefined && before.current !== kind) setAnnounced(text)
    before.current = kind
  }, [kind, text])
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  )
}
