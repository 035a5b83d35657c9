import { useState } from 'react'
import { WEBSITE_AUDIT_ID } from '#lib/constants.ts'
import type { Publishing } from '#lib/contract/publishing.ts'
import { rollBackTo } from '#lib/stores/admin/publishing.ts'
import { formatDayAndSecond } from '#lib/time.ts'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'

type Release = Publishing['releases'][number]

const COLUMNS: readonly Column<Release>[] = [
  {
    id: 'created',
    label: 'Created',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDayAndSecond(createdAt)}</time>
  },
  { id: 'pages', label: 'Pages', numeric: true, cell: ({ pages }) => pages },
  {
    id: 'status',
    label: 'Status',
    cell: ({ current }) =>
      current ? <b className="rounded-full bg-status-delivered px-3 py-1 text-sm">Live now</b> : '–'
  }
]

export function ReleaseList({ releases }: Pick<Publishing, 'releases'>) {
  const [selected, setSelected] = useState<Release>()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  if (releases.length === 0) return null
  const createdAt = selected && formatDayAndSecond(selected.createdAt)
  return (
    <section aria-labelledby="releases">
      <h2 id="releases" className="mb-1 text-lg">
        Earlier versions of the website
      </h2>
      <p className="mb-4">Each row is a saved copy of all pages. You can bring one back.</p>
      <DataTable
        caption="Earlier versions of the website"
        columns={COLUMNS}
        rows={releases}
        getKey={({ id }) => id}
        actions={release =>
          !release.current && (
            <button
              type="button"
              className="button-quiet"
              aria-haspopup="dialog"
              aria-label={`Bring back the version of ${formatDayAndSecond(release.createdAt)}`}
              onClick={() => {
                setSelected(release)
                setIsDialogOpen(true)
              }}
            >
              Bring back
            </button>
          )
        }
      />
      <div className="mt-8">
        <ChangeHistory
          key={releases.find(({ current }) => current)?.id}
          kinds={['publish']}
          id={WEBSITE_AUDIT_ID}
          labels={{}}
        />
      </div>
      <ConfirmDialog
        open={isDialogOpen}
        title="Bring back this version?"
        confirmLabel="Bring it back"
        busyLabel="Bringing it back…"
        onConfirm={async () => {
          if (selected) await rollBackTo(selected.id)
        }}
        onClose={() => setIsDialogOpen(false)}
      >
        The website will look as it did on {createdAt} until your next change. Customers still pay today’s prices, and
        the stock does not change.
      </ConfirmDialog>
    </section>
  )
}
