import { useState } from 'react'
import type { ImportReport, ImportRow } from '#lib/contract/catalog.ts'
import { formatCount } from '#lib/messages.ts'
import { decodeTable, importProducts } from '#lib/stores/admin/products.ts'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { pushQuery } from '../../ui/history.ts'
import { useAttempt } from '../../ui/hooks.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { FileButton } from '../ui/PictureDrop.tsx'
import { ViewHeading, viewLink } from '../ui/views.tsx'

interface PreviewedFile {
  csv: string
  report: ImportReport
}

export function ImportTable() {
  const [preview, setPreview] = useState<PreviewedFile>()
  const { busy, failure, run } = useAttempt({ title: 'The import failed.' })

  const previewFile = (file: File) =>
    run(async () => {
      setPreview(undefined)
      const csv = decodeTable(new Uint8Array(await file.arrayBuffer()))
      setPreview({ csv, report: await importProducts({ csv }) })
    })
  const importPreviewed = ({ csv, report: { basis } }: PreviewedFile) =>
    run(async () => {
      try {
        setPreview({ csv, report: await importProducts({ csv, basis }) })
      } catch (error) {
        // The products may have changed since the preview.
        setPreview({ csv, report: await importProducts({ csv }) })
        throw error
      }
    })
  const changedRows = preview?.report.rows.filter(({ outcome }) => outcome !== 'same') ?? []

  return (
    <div className="grid gap-4">
      <ViewHeading back={{ to: 'All products', ...viewLink('') }} title="Import products" />
      <p>
        Export the products, edit the file in Excel or Google Sheets, save it as CSV and upload it
        here. You can check the changes before they are saved. A row without an id adds a product,
        which stays hidden until it has a picture.
      </p>
      <FileButton
        label={preview ? 'Choose another file' : 'Choose a file'}
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        className="justify-self-start"
        onChoose={([file]) => file && void previewFile(file)}
      />
      <p role="status" className="empty:hidden">
        {busy
          ? preview
            ? 'Importing…'
            : 'Reading the file…'
          : preview && formatSummary(preview.report)}
      </p>
      <Failure failure={failure} busy={busy} />
      {changedRows.length > 0 && (
        <DataTable
          caption="Rows in the file"
          columns={COLUMNS}
          rows={changedRows}
          getKey={({ line }) => String(line)}
        />
      )}
      {preview && (
        <div className="flex flex-wrap gap-3">
          {countChanges(preview.report) > 0 && !preview.report.isDone && (
            <Button
              look="primary"
              label={
                busy
                  ? 'Importing…'
                  : `Import ${formatCount(countChanges(preview.report), 'product')}`
              }
              busy={busy}
              onClick={() => void importPreviewed(preview)}
            />
          )}
          <Button
            label={preview.report.isDone ? 'All products' : 'Cancel'}
            onClick={() => pushQuery('')}
          />
        </div>
      )}
    </div>
  )
}

function countChanges({ rows }: ImportReport): number {
  return rows.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length
}

function formatSummary({ rows, ignored, isDone }: ImportReport) {
  const count = (outcome: ImportRow['outcome']): number =>
    rows.filter(row => row.outcome === outcome).length
  const wrong = count('wrong')
  return [
    isDone ? `Imported: ${count('changed')} updated` : `${count('changed')} to update`,
    `, ${count('new')} new, ${count('same')} unchanged`,
    wrong > 0 ? `, ${wrong} with errors (skipped).` : '.',
    ignored.length > 0 ? ` Unknown columns ignored: ${ignored.join(', ')}.` : ''
  ].join('')
}

const OUTCOME_LABELS = {
  new: 'New',
  changed: 'Updated',
  same: 'Unchanged',
  wrong: 'Error'
} as const

const COLUMNS: readonly Column<ImportRow>[] = [
  { label: 'Product', cell: ({ name, id }) => name || id || 'No name' },
  { label: 'Row', numeric: true, cell: ({ line }) => line },
  { label: 'Result', cell: ({ outcome }) => OUTCOME_LABELS[outcome] },
  { label: 'Changes', isFullWidth: true, cell: row => <Details row={row} /> }
]

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
            {label}:{' '}
            {outcome === 'changed' && <del className="text-ink/70">{before || 'empty'}</del>}
            {outcome === 'changed' && ' → '}
            <ins className="no-underline">{after || 'empty'}</ins>
          </li>
        ))}
    </ul>
  )
}
