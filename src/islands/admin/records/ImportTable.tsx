import { useId, useRef, useState } from 'react'
import type { ImportQuestion, ImportReport, ImportRow } from '#lib/contract/catalog.ts'
import { formatCount } from '#lib/messages.ts'
import { decodeTable, importProducts } from '#lib/stores/admin/products.ts'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { Options } from '../../ui/Field.tsx'
import { pushQuery } from '../../ui/history.ts'
import { useAttempt } from '../../ui/hooks.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { FileButton } from '../ui/PictureDrop.tsx'
import { ViewHeading, viewLink } from '../ui/views.tsx'

interface PreviewedFile {
  csv: string
  answers: Record<string, string>
  report: ImportReport
  /** Another answer was chosen since. */
  isStale?: boolean
}

export function ImportTable() {
  const [preview, setPreview] = useState<PreviewedFile>()
  const { busy, failure, run } = useAttempt({ title: 'The import failed.' })
  const summary = useRef<HTMLParagraphElement>(null)

  const showPreview = async (csv: string, answers: Record<string, string> = {}) =>
    setPreview({ csv, answers, report: await importProducts({ csv, answers }) })
  const previewFile = (file: File) =>
    run(async () => {
      setPreview(undefined)
      await showPreview(decodeTable(new Uint8Array(await file.arrayBuffer())))
    })
  const importPreviewed = ({ csv, answers, report: { basis } }: PreviewedFile) =>
    run(async () => {
      try {
        setPreview({ csv, answers, report: await importProducts({ csv, answers, basis }) })
        // The button is below a long list.
        summary.current?.focus()
      } catch (error) {
        // The products may have changed since the preview.
        await showPreview(csv, answers)
        throw error
      }
    })
  const changedRows = preview?.report.rows.filter(({ outcome }) => outcome !== 'same') ?? []

  return (
    <div className="grid gap-4">
      <ViewHeading back={{ to: 'All products', ...viewLink('') }} title="Import products" />
      <p>
        Export the products, edit the file in Excel or Google Sheets, save it as CSV (in Excel: “CSV
        UTF-8”) and upload it here. You can check the changes before they are saved. A row without
        an id adds a product, which stays hidden until it has a picture. Product exports of
        WooCommerce and Shopify work too.
      </p>
      <FileButton
        label={preview ? 'Choose another file' : 'Choose a file'}
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        className="justify-self-start"
        onChoose={([file]) => file && void previewFile(file)}
      />
      <p
        role="status"
        ref={summary}
        tabIndex={-1}
        className="scroll-mt-20 whitespace-pre-line empty:hidden"
      >
        {busy
          ? preview
            ? 'One moment…'
            : 'Reading the file…'
          : preview && formatSummary(preview.report)}
      </p>
      <Failure failure={failure} busy={busy} />
      {preview && !preview.report.isDone && preview.report.questions.length > 0 && (
        <Questions
          questions={preview.report.questions}
          busy={busy}
          onChange={() => setPreview({ ...preview, isStale: true })}
          onAnswer={answers => void run(() => showPreview(preview.csv, answers))}
        />
      )}
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
          {!preview.isStale && !preview.report.isDone && countChanges(preview.report) > 0 && (
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

interface QuestionsProps {
  questions: readonly ImportQuestion[]
  busy: boolean
  onChange: () => void
  onAnswer: (answers: Record<string, string>) => void
}

function Questions({ questions, busy, onChange, onAnswer }: QuestionsProps) {
  const id = useId()
  return (
    <form
      className="grid gap-4"
      onChange={onChange}
      onSubmit={event => {
        event.preventDefault()
        onAnswer(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
      }}
    >
      {questions.map(({ id: name, text, choices, answer = '' }) => (
        <div key={name}>
          <label htmlFor={id + name} className="mb-1 block font-semibold">
            {text}
          </label>
          <select id={id + name} name={name} required className="field" defaultValue={answer}>
            <option value="">Please choose</option>
            <Options choices={choices} />
          </select>
        </div>
      ))}
      <Button type="submit" label="Show the changes" busy={busy} className="justify-self-start" />
    </form>
  )
}

function countChanges({ rows }: ImportReport): number {
  return rows.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length
}

function formatSummary({ rows, questions, ignored, notes, isDone }: ImportReport) {
  if (questions.some(({ answer }) => answer === undefined))
    return [...notes, 'Please answer first. Nothing is changed yet.'].join('\n')
  const count = (outcome: ImportRow['outcome']): number =>
    rows.filter(row => row.outcome === outcome).length
  const [wrong, skipped] = [count('wrong'), count('skipped')]
  return [
    isDone ? `Imported: ${count('changed')} updated` : `${count('changed')} to update`,
    `, ${count('new')} new, ${count('same')} unchanged`,
    skipped > 0 ? `, ${skipped} left out` : '',
    wrong > 0 ? `, ${wrong} with errors (skipped).` : '.',
    ignored.length > 0 ? ` Unknown columns ignored: ${ignored.join(', ')}.` : '',
    ...notes.map(note => `\n${note}`)
  ].join('')
}

const OUTCOME_LABELS = {
  new: 'New',
  changed: 'Updated',
  same: 'Unchanged',
  wrong: 'Error',
  skipped: 'Left out'
} as const

const COLUMNS: readonly Column<ImportRow>[] = [
  { label: 'Product', cell: ({ name, id }) => name || id || 'No name' },
  { label: 'Row', numeric: true, cell: ({ line }) => line },
  { label: 'Result', cell: ({ outcome }) => OUTCOME_LABELS[outcome] },
  { label: 'Changes', isFullWidth: true, cell: row => <Details row={row} /> }
]

function Details({ row }: { row: ImportRow }) {
  const { outcome, changes, problems, notes = [], pictures = [] } = row
  return (
    <>
      <ul className="font-semibold text-chilli">
        {problems.map(({ label, text }) => (
          <li key={`${label} ${text}`}>
            {label}: {text}
          </li>
        ))}
      </ul>
      <ul>
        {notes.map(note => (
          <li key={note} className="font-semibold">
            {note}
          </li>
        ))}
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
      {pictures.map(address => (
        <a
          key={address}
          href={address}
          target="_blank"
          rel="noreferrer"
          className="link block w-fit max-w-full break-words py-3"
        >
          {address}
        </a>
      ))}
    </>
  )
}
