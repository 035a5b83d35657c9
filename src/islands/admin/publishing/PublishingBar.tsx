import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Publishing } from '#lib/contract/admin.ts'
import { paths } from '#lib/paths.ts'
import {
  $publishing,
  formatPublishing,
  liveLabel,
  toPublishingKind,
  watchPublishing,
  type PublishingKind
} from '#lib/stores/admin/publishing.ts'
import { Time } from '../../ui/Facts.tsx'

const DOT_CLASSES: Readonly<Record<PublishingKind, string>> = {
  busy: 'bg-turmeric motion-safe:animate-pulse',
  failed: 'bg-chilli',
  partial: 'bg-chilli',
  live: 'bg-leaf',
  none: 'bg-ink/50'
}

export function PublishingBar() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  if (isUnsupported) return null
  const kind = publishing && toPublishingKind(publishing)
  const text = publishing ? formatPublishing(publishing) : failure && ADMIN_MESSAGES.publishUnknown
  return (
    <div className="-mt-2 mb-4 min-h-target text-sm">
      {text && (
        <a href={paths.adminPublishing} className="flex min-h-target min-w-0 items-center gap-2 hover:text-chilli">
          <span aria-hidden="true" className={`h-2.5 w-2.5 shrink-0 rounded-full ${DOT_CLASSES[kind ?? 'none']}`} />
          <span className={`truncate ${kind === 'failed' || kind === 'partial' ? 'font-semibold text-chilli' : ''}`}>
            {text}
          </span>
        </a>
      )}
      <StatusAnnouncer kind={kind} text={text ?? ''} />
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

/** Does not poll `$publishing`, because `PublishingBar` on the same page already does. */
export function WebsiteStatus() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  if (isUnsupported) return null
  return (
    <section aria-labelledby="live" className="card p-4">
      <h2 id="live" className="text-lg">
        Website
      </h2>
      <div className="mt-2 grid gap-2">
        {publishing ? <StatusText publishing={publishing} /> : <p>{failure ? ADMIN_MESSAGES.publishUnknown : '…'}</p>}
        <p>
          <a href={paths.adminPublishing} className="link target">
            Publishing
          </a>
        </p>
      </div>
    </section>
  )
}

function StatusText({ publishing }: { publishing: Publishing }) {
  const { waiting, rendering, live, failed } = publishing
  return (
    <>
      {live && (
        <p>
          {liveLabel(publishing)} (<Time iso={live.since} />)
        </p>
      )}
      {(waiting ?? rendering) && <p>{ADMIN_MESSAGES.publishInProgress}</p>}
      {failed && (
        <p className="font-semibold text-chilli">
          {ADMIN_MESSAGES.publishFailed} {failed.problem}
        </p>
      )}
    </>
  )
}
