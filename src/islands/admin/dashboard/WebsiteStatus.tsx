import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { liveLabel } from '#lib/admin/publishing-view.ts'
import type { Publishing } from '#lib/contract/publishing.ts'
import { paths } from '#lib/paths.ts'
import { $publishing } from '#lib/stores/admin/publishing.ts'
import { formatDayAndTime } from '#lib/time.ts'

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
          {liveLabel(publishing)} (<time dateTime={live.since}>{formatDayAndTime(live.since)}</time>)
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
