import { useEffect, useRef, useState } from 'react'
import { decodeTable } from '#lib/admin/decode-table.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { ImportReport, ImportRow } from '#lib/contract/catalog.ts'
import { formatProductCount } from '#lib/messages.ts'
import { importProducts } from '#lib/stores/admin/products.ts'
import { Failure } from '../../../form/Failure.tsx'
import { useAttempt } from '../../../form/use-attempt.ts'
import { ImportRows } from './ImportRows.tsx'
import { ViewLink } from '../../ui/ViewLink.tsx'

interface PreviewedFile {
  csv: string
  report: ImportReport
}

/** Shows a preview of the changes before they are imported. */
export function ImportTable({ onClose }: { onClose: () => void }) {
  const [preview, setPreview] = useState<PreviewedFile>()
  const heading = useRef<HTMLHeadingElement>(null)
  const { busy, failure, run } = useAttempt(
    { title: ADMIN_MESSAGES.importFailed, fallback: ADMIN_MESSAGES.tryAgain },
    () => false
  )
  useEffect(() => heading.current?.focus(), [])

  const showPreview = (csv: string) => run(async () => setPreview({ csv, report: await importProducts({ csv }) }))
  const previewFile = async (file: File | undefined) => {
    if (file) await showPreview(decodeTable(new Uint8Array(await file.arrayBuffer())))
  }
  const importPreviewed = async ({ csv, report: { basis } }: PreviewedFile) => {
    // The import fails if the products have changed since the preview. In this case, show a new preview.
    const isImported = await run(async () => setPreview({ csv, report: await importProducts({ csv, basis }) }))
    if (!isImported) setPreview({ csv, report: await importProducts({ csv }) })
  }

  return (
    <div className="grid gap-4">
      <p>
        <ViewLink query="" className="link target">
          ← All products
        </ViewLink>
      </p>
      <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
        Import products
      </h2>
      <p>
        Export the products, edit the file in Excel or Google Sheets, save it as CSV and upload it here. You can check
        the changes before they are saved. A row without an id adds a product, which stays hidden until it has a
        picture.
      </p>
      <label className="button-quiet relative cursor-pointer justify-self-start focus-within:outline focus-within:outline-[3px] focus-within:outline-offset-2 focus-within:outline-chilli">
        {preview ? 'Choose another file' : 'Choose a file'}
        <input
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          className="sr-only"
          onChange={({ currentTarget }) => {
            void previewFile(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
      </label>
      <p role="status" className="empty:hidden">
        {busy ? 'Reading the file…' : preview && formatSummary(preview.report)}
      </p>
      <Failure failure={failure} />
      {preview && <ImportRows report={preview.report} />}
      {preview && (
        <div className="flex flex-wrap gap-3">
          {countChanges(preview.report) > 0 && !preview.report.isDone && (
            <button
              type="button"
              aria-disabled={busy}
              className="button-primary aria-disabled:opacity-60"
              onClick={() => void importPreviewed(preview)}
            >
              {busy ? 'Importing…' : `Import ${formatProductCount(countChanges(preview.report))}`}
            </button>
          )}
          <button type="button" className="button-quiet" onClick={onClose}>
            {preview.report.isDone ? 'All products' : 'Cancel'}
          </button>
        </div>
      )}
    </div>
  )
}

function countChanges({ rows }: ImportReport): number {
  return rows.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length
}

function formatSummary({ rows, ignored, isDone }: ImportReport): string {
  const count = (outcome: ImportRow['outcome']): number => rows.filter(row => row.outcome === outcome).length
  const wrong = count('wrong')
  return [
    isDone ? `Imported: ${count('changed')} updated` : `${count('changed')} to update`,
    `, ${count('new')} new, ${count('same')} unchanged`,
    wrong > 0 ? `, ${wrong} with errors (skipped).` : '.',
    ignored.length > 0 ? ` Unknown columns ignored: ${ignored.join(', ')}.` : ''
  ]
    .join(' ')
    .replace(/ ([,.])/g, '$1')
}
