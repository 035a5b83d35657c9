import type { ImportReport, ImportRow } from '#lib/contract/catalog.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'

const OUTCOME_LABELS = { new: 'New', changed: 'Updated', same: 'Unchanged', wrong: 'Error' } as const

const COLUMNS: readonly Column<ImportRow>[] = [
  { id: 'name', label: 'Product', cell: ({ name, id }) => name || id || 'No name' },
  { id: 'line', label: 'Row', numeric: true, cell: ({ line }) => line },
  { id: 'outcome', label: 'Result', cell: ({ outcome }) => OUTCOME_LABELS[outcome] },
  { id: 'changes', label: 'Changes', isFullWidth: true, cell: row => <Details row={row} /> }
]

export function ImportRows({ report: { rows } }: { report: ImportReport }) {
  const rowsToShow = rows.filter(({ outcome }) => outcome !== 'same')
  if (rowsToShow.length === 0) return null
  return (
    <DataTable caption="Rows in the file" columns={COLUMNS} rows={rowsToShow} getKey={({ line }) => String(line)} />
  )
}

function Details({ row: { outcome, changes, problems } }: { row: ImportRow }) {
  if (outcome === 'wrong') {
    return (
      <ul className="font-semibold text-chilli">
        {problems.map(({ label, text }) => (
          <li key={`${label} ${text}`}>
            {label}: {text}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ul>
      {changes
        .filter(({ after, before }) => after !== '' || before !== '')
        .map(({ label, before, after }) => (
          <li key={label} className="break-words">
            {label}: {outcome === 'changed' && <del className="text-ink/70">{before || 'empty'}</del>}
            {outcome === 'changed' && ' → '}
            <ins className="no-underline">{after || 'empty'}</ins>
          </li>
        ))}
    </ul>
  )
}
