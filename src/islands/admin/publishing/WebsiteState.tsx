import { useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { publishingKind, publishProgress } from '#lib/admin/publishing-view.ts'
import type { Publish, Publishing } from '#lib/contract/publishing.ts'
import { publishNow } from '#lib/stores/admin/publishing.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { ActionButton } from '../../form/ActionButton.tsx'

const CAUSES: Readonly<Record<Publish['cause'], string>> = {
  change: 'something in the shop has changed',
  hook: 'another program has asked for it',
  owner: 'you or another administrator has asked for it',
  command: 'it was asked for on the server',
  return: 'an older release is put back'
}

/** What visitors see, what is on its way to them, and why something did not get there. */
export function WebsiteState({ publishing }: { publishing: Publishing }) {
  const { live, held, failed } = publishing
  const kind = publishingKind(publishing)
  const heading = useRef<HTMLHeadingElement>(null)
  // The button is gone while something is under way.
  const publish = async () => {
    heading.current?.focus()
    await publishNow()
  }
  return (
    <section aria-labelledby="standing" className="card grid gap-4 p-4 sm:p-6">
      <h2 id="standing" ref={heading} tabIndex={-1} className="text-lg outline-none">
        What visitors see
      </h2>
      <div>
        {live ? (
          <p className="text-lg font-semibold">
            Live since <time dateTime={live.since}>{formatDayAndTime(live.since)}</time>
          </p>
        ) : (
          <p className="text-lg font-semibold">{ADMIN_MESSAGES.publishNone}</p>
        )}
        {held && <p>{ADMIN_MESSAGES.publishOlderVersion}</p>}
        {kind === 'live' && !held && <p>{ADMIN_MESSAGES.publishUpToDate}</p>}
      </div>
      <div role="status" className="empty:hidden">
        {kind === 'busy' && <p className="font-semibold">{ADMIN_MESSAGES.publishInProgress}</p>}
      </div>
      {kind === 'busy' && <Progress publishing={publishing} />}
      {kind === 'failed' && failed && <Failed failed={failed} />}
      {(kind === 'failed' || (kind !== 'busy' && held)) && (
        <ActionButton
          label={held ? 'Publish the latest' : 'Try again now'}
          busyLabel="Starting…"
          errorTitle={ADMIN_MESSAGES.publishRetryFailed}
          action={publish}
        >
          {held
            ? 'Visitors get all that was saved since, instead of the older release.'
            : 'The shop tries again by itself, after ever longer pauses; you need not wait for that.'}
        </ActionButton>
      )}
    </section>
  )
}

function Progress({ publishing }: { publishing: Publishing }) {
  const { waiting, rendering, progress } = publishing
  const publish = rendering ?? waiting
  return (
    <div className="grid gap-2">
      <label className="grid gap-1">
        {publishProgress(publishing)}
        <progress
          className="h-3 w-full accent-chilli"
          {...(rendering && progress && { value: progress.rendered, max: Math.max(1, progress.of) })}
        />
      </label>
      {publish && (
        <p className="text-sm text-ink/70">
          Since <time dateTime={publish.requestedAt}>{formatDayAndTime(publish.requestedAt)}</time>, because{' '}
          {CAUSES[publish.cause]}.
        </p>
      )}
      {rendering && waiting && <p className="text-sm">More changes wait for the next time.</p>}
    </div>
  )
}

function Failed({ failed: { problem, endedAt, requestedAt } }: { failed: Publish }) {
  const at = endedAt ?? requestedAt
  return (
    <div role="alert" className="rounded-xl border-2 border-chilli p-4">
      <p className="font-semibold text-chilli">{ADMIN_MESSAGES.publishFailed}</p>
      <p className="break-words">{problem}</p>
      <p className="text-sm text-ink/70">
        <time dateTime={at}>{formatDayAndTime(at)}</time>. Visitors keep the pages that they have.
      </p>
    </div>
  )
}
