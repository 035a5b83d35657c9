import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { WEBSITE_AUDIT_ID } from '#lib/constants.ts'
import type { Release } from '#lib/contract/admin.ts'
import {
  $publishing,
  refreshPublishing,
  rollBackTo,
  watchPublishing
} from '#lib/stores/admin/publishing.ts'
import { listReleases } from '#lib/stores/admin/requests.ts'
import { formatDayAndSecond } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { EmptyState, RetryNotice } from '../../ui/EmptyState.tsx'
import { LoadFailed, Loading } from '../../ui/Loading.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PublishingStatus } from './PublishingStatus.tsx'

const texts = {
  publishUnavailable: 'This server doesn’t update the website.',
  publishUnknown: 'We can’t tell whether your changes are live.'
}

export function PublishingPage() {
  return <AdminFrame section="publishing">{() => <Status />}</AdminFrame>
}

function Status() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  if (isUnsupported) {
    return (
      <EmptyState text={texts.publishUnavailable}>
        <Button look="primary" label="Try again" onClick={refreshPublishing} />
      </EmptyState>
    )
  }
  if (!publishing) {
    return failure === undefined ? (
      <Loading />
    ) : (
      <LoadFailed text={`${ADMIN_MESSAGES.loadFailed} ${failure}`} onRetry={refreshPublishing} />
    )
  }
  return (
    <div className="grid gap-8">
      <RetryNotice title={texts.publishUnknown} text={failure} onRetry={refreshPublishing} />
      <PublishingStatus publishing={publishing} />
      <Releases live={publishing.live?.release} />
    </div>
  )
}

const COLUMNS: readonly Column<Release>[] = [
  {
    label: 'Version of',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDayAndSecond(createdAt)}</time>
  },
  { label: 'What changed', isFullWidth: true, cell: ({ changes }) => changes },
  { label: 'Pages', numeric: true, isOnlyInTable: true, cell: ({ pages }) => pages },
  {
    label: 'Status',
    cell: ({ current }) =>
      current ? (
        <b className="whitespace-nowrap rounded-full bg-status-delivered px-3 py-1 text-sm">
          Live now
        </b>
      ) : (
        '–'
      )
  }
]

function Releases({ live = '' }: { live: string | undefined }) {
  const [releases, reload] = useLoad(live, listReleases)
  if (live === '') return null
  return (
    <section aria-labelledby="releases">
      <h2 id="releases" className="mb-1 text-lg">
        Earlier versions of the website
      </h2>
      <p className="mb-4">
        Each row is a saved copy of all pages. You can bring one back. We keep the last five and,
        for 14 days, the last one of each day.
      </p>
      <Loaded state={releases} label="versions" onRetry={reload}>
        {rows => (
          <DataTable
            caption="Earlier versions of the website"
            columns={COLUMNS}
            rows={rows}
            getKey={({ id }) => id}
            actions={release => !release.current && <BringBack release={release} />}
          />
        )}
      </Loaded>
      <div className="mt-8">
        <ChangeHistory key={live} kinds={['publish']} id={WEBSITE_AUDIT_ID} labels={{}} />
      </div>
    </section>
  )
}

function BringBack({ release: { id, createdAt } }: { release: Release }) {
  const created = formatDayAndSecond(createdAt)
  return (
    <ConfirmButton
      label="Bring back"
      name={`Bring back the version of ${created}`}
      title="Bring back this version?"
      confirmLabel="Bring it back"
      busyLabel="Bringing it back…"
      errorTitle={ADMIN_MESSAGES.saveFailed}
      onConfirm={() => rollBackTo(id)}
    >
      The website will look as it did on {created} until your next change. Customers still pay
      today’s prices, and the stock does not change.
    </ConfirmButton>
  )
}
