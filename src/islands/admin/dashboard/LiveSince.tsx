import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Publishing } from '#lib/contract/publishing.ts'
import { paths } from '#lib/paths.ts'
import { readPublishing } from '#lib/stores/admin/dashboard.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { useRead } from '../ui/use-read.ts'

/** What visitors see since when, and why a publish failed. */
export function LiveSince() {
  const [read] = useRead('publishing', readPublishing)
  if (read.state === 'ready' && read.value === undefined) return null
  return (
    <section aria-labelledby="live" className="card p-4">
      <h2 id="live" className="text-lg">
        The shop’s pages
      </h2>
      <div className="mt-2 grid gap-2">
        {read.state === 'loading' && <p>…</p>}
        {read.state === 'failed' && (
          <p role="alert">
            {ADMIN_MESSAGES.loadFailed} {read.error.message}
          </p>
        )}
        {read.state === 'ready' && read.value && <State publishing={read.value} />}
        <p>
          <a href={paths.adminPublishing} className="link target">
            Publishing
          </a>
        </p>
      </div>
    </section>
  )
}

function State({ publishing: { waiting, rendering, live, failed, held } }: { publishing: Publishing }) {
  return (
    <>
      {live && (
        <p>
          Live since <time dateTime={live.since}>{formatDayAndTime(live.since)}</time>
          {held && ': an older release, put back on purpose'}
        </p>
      )}
      {(waiting ?? rendering) && <p>{ADMIN_MESSAGES.publishUnderWay}</p>}
      {failed && (
        <p className="font-semibold text-chilli">
          {ADMIN_MESSAGES.publishFailed} {failed.problem}
        </p>
      )}
    </>
  )
}
