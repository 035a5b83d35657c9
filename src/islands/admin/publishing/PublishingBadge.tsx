import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { websiteText } from '#lib/admin/messages.ts'
import { paths } from '#lib/paths.ts'
import {
  $publishing,
  formatPublishing,
  toPublishingKind,
  watchPublishing,
  type PublishingKind
} from '#lib/stores/admin/publishing.ts'

const DOT_CLASSES: Readonly<Record<PublishingKind, string>> = {
  busy: 'bg-turmeric motion-safe:animate-pulse',
  failed: 'bg-chilli',
  partial: 'bg-chilli',
  live: 'bg-leaf',
  none: 'bg-ink/50'
}

/** The width is fixed, because nothing may move when the state is known or changes. */
export function PublishingBadge() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  const kind = publishing && toPublishingKind(publishing)
  const isFailed = kind === 'failed' || kind === 'partial'
  const text = publishing
    ? formatPublishing(publishing)
    : websiteText(failure === undefined ? '…' : 'unknown')
  return (
    <div className="w-44 text-sm sm:w-52">
      {!isUnsupported && (
        <a
          href={paths.adminPublishing}
          className={
            'flex min-h-target items-center gap-2 hover:text-chilli ' +
            `${isFailed ? 'font-semibold text-chilli' : ''}`
          }
        >
          <span
            aria-hidden="true"
            className={`h-2.5 w-2.5 shrink-0 rounded-full ${DOT_CLASSES[kind ?? 'none']}`}
          />
          {text}
        </a>
      )}
      <StatusAnnouncer kind={kind} text={text} />
    </div>
  )
}

/** Announces status changes to screen readers. The status at page load is not announced. */
function StatusAnnouncer({ kind, text }: { kind: PublishingKind | undefined; text: string }) {
  const previousKind = useRef(kind)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    if (previousKind.current !== undefined && previousKind.current !== kind) setAnnouncement(text)
    previousKind.current = kind
  }, [kind, text])
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}
