import { useState } from 'react'
import { PUBLISHED_SITE } from '#lib/constants.ts'
import type { Publishing } from '#lib/contract/publishing.ts'
import { restoreRelease } from '#lib/stores/admin/publishing.ts'
import { formatDayAndSecond } from '#lib/time.ts'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'

type Release = Publishing['releases'][number]

const COLUMNS: readonly Column<Release>[] = [
  {
    id: 'made',
    label: 'Made',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDayAndSecond(createdAt)}</time>
  },
  { id: 'pages', label: 'Pages', numeric: true, cell: ({ pages }) => pages },
  {
    id: 'seen',
    label: 'Visitors',
    cell: ({ current }) =>
      current ? <b className="rounded-full bg-status-delivered px-3 py-1 text-sm">see this one</b> : 'don’t see it'
  }
]

/** The pages as they were: what can be put back when something went out that should not have. */
export function ReleaseList({ releases }: Pick<Publishing, 'releases'>) {
  const [chosen, setChosen] = useState<Release>()
  const [asking, setAsking] = useState(false)
  if (releases.length === 0) return null
  const made = chosen && formatDayAndSecond(chosen.createdAt)
  return (
    <section aria-labelledby="releases">
      <h2 id="releases" className="mb-1 text-lg">
        Releases that are kept
      </h2>
      <p className="mb-4">All the shop’s pages, as they were made at a time.</p>
      <DataTable
        caption="Releases that are kept"
        columns={COLUMNS}
        rows={releases}
        keyOf={({ id }) => id}
        actions={release =>
          !release.current && (
            <button
              type="button"
              className="button-quiet"
              aria-haspopup="dialog"
              aria-label={`Return to the release of ${formatDayAndSecond(release.createdAt)}`}
              onClick={() => {
                setChosen(release)
                setAsking(true)
              }}
            >
              Return to this
            </button>
          )
        }
      />
      <div className="mt-8">
        <ChangeHistory
          key={releases.find(({ current }) => current)?.id}
          kinds={['publish']}
          id={PUBLISHED_SITE}
          labels={{}}
        />
      </div>
      <ConfirmDialog
        open={asking}
        title="Return to this release?"
        confirm="Return to it"
        doing="Returning…"
        onConfirm={async () => {
          if (chosen) await restoreRelease(chosen.id)
        }}
        onClose={() => setAsking(false)}
      >
        Visitors see the pages of {made} again, until the next change is published. Prices and stock in the cart stay
        today’s.
      </ConfirmDialog>
    </section>
  )
}
