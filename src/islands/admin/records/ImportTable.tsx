import { useId, useRef, useState } from 'react'
import type { ImportQuestion, ImportReport, ImportRow } from '#lib/contract/catalog.ts'
import { plural, t, text, texts } from '#lib/contract/texts.ts'
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
  const { busy, failure, run } = useAttempt({ title: t('The import failed.') })
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
      <ViewHeading back={{ to: t('All products'), ...viewLink('') }} title={t('Import products')} />
      <p>
        {t(
          'Export the products, edit the file in Excel or Google Sheets, save it as CSV ' +
            '(in Excel: “CSV UTF-8”) and upload it here. You can check the changes before they ' +
            'are saved. A row without an id adds a product, which stays hidden until it has a ' +
            'picture. Product exports of WooCommerce and Shopify work too.'
        )}
      </p>
      <FileButton
        label={t(preview ? 'Choose another file' : 'Choose a file')}
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
          ? t(preview ? 'One moment…' : 'Reading the file…')
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
          caption={t('Rows in the file')}
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
                  ? t('Importing…')
                  : plural(
                      countChanges(preview.report),
                      'Import {count} product',
                      'Import {count} products'
                    )
              }
              busy={busy}
              onClick={() => void importPreviewed(preview)}
            />
          )}
          <Button
            label={t(preview.report.isDone ? 'All products' : 'Cancel')}
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
            <option value="">{t('Please choose')}</option>
            <Options choices={choices} />
          </select>
        </div>
      ))}
      <Button
        type="submit"
        label={t('Show the changes')}
        busy={busy}
        className="justify-self-start"
      />
    </form>
  )
}

function countChanges({ rows }: ImportReport) {
  return rows.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length
}

function formatSummary({ rows, questions, ignored, notes, isDone }: ImportReport) {
  if (questions.some(({ answer }) => answer === undefined))
    return [...notes, t('Please answer first. Nothing is changed yet.')].join('\n')
  const count = (outcome: ImportRow['outcome']) =>
    rows.filter(row => row.outcome === outcome).length
  const [changed, skipped, wrong] = [count('changed'), count('skipped'), count('wrong')]
  const counts = [
    t(isDone ? 'Imported: {count} updated' : '{count} to update', { count: changed }),
    t('{count} new', { count: count('new') }),
    t('{count} unchanged', { count: count('same') }),
    skipped > 0 && t('{count} left out', { count: skipped }),
    wrong > 0 && t('{count} with errors (skipped)', { count: wrong })
  ]
  const unknown =
    ignored.length > 0
      ? ` ${t('Unknown columns ignored: {columns}.', { columns: ignored.join(', ') })}`
      : ''
  return [`${counts.filter(Boolean).join(', ')}.${unknown}`, ...notes].join('\n')
}

const OUTCOME_LABELS = texts({
  new: 'New',
  changed: 'Updated',
  same: 'Unchanged',
  wrong: 'Error',
  skipped: 'Left out'
})

const COLUMNS: readonly Column<ImportRow>[] = [
  { label: text('Product'), cell: ({ name, id }) => name || id || t('No name') },
  { label: text('Row'), numeric: true, cell: ({ line }) => line },
  { label: text('Result'), cell: ({ outcome }) => OUTCOME_LABELS[outcome] },
  { label: text('Changes'), isFullWidth: true, cell: row => <Details row={row} /> }
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
        {changes.map(({ label, before, after }) => (
          <li key={label} className="break-words">
            {label}:{' '}
            {outcome === 'changed' && <del className="text-ink/70">{before || t('empty')}</del>}
            {outcome === 'changed' && ' → '}
            <ins className="no-underline">{after || t('empty')}</ins>
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
