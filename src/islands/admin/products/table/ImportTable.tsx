import { useEffect, useRef, useState } from 'react'
import { decodeTable } from '#lib/admin/decode-table.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { ImportReport } from '#lib/contract/admin/products.ts'
import { productCount } from '#lib/messages.ts'
import { importProducts } from '#lib/stores/admin/products.ts'
import { Failure } from '../../../form/Failure.tsx'
import { useAttempt } from '../../../form/use-attempt.ts'
import { ImportRows } from './ImportRows.tsx'
import { ViewLink } from '../../ui/ViewLink.tsx'

interface PreviewedFile {
  csv: string
  report: ImportReport
}

/** A table from a spreadsheet: looked at row by row first, and then imported as it was seen. */
export function ImportTable({ onClose }: { onClose: () => void }) {
  const [looked, setLooked] = useState<PreviewedFile>()
  const heading = useRef<HTMLHeadingElement>(null)
  const { busy, failure, run } = useAttempt(
    { title: ADMIN_MESSAGES.importFailed, fallback: ADMIN_MESSAGES.tryAgain },
    () => false
  )
  useEffect(() => heading.current?.focus(), [])

  const look = (csv: string) => run(async () => setLooked({ csv, report: await importProducts({ csv }) }))
  const choose = async (file: File | undefined) => {
    if (file) await look(decodeTable(new Uint8Array(await file.arrayBuffer())))
  }
  const importIt = async ({ csv, report: { basis } }: PreviewedFile) => {
    // What has changed since is looked at again, and nothing is imported that was not seen.
    const done = await run(async () => setLooked({ csv, report: await importProducts({ csv, basis }) }))
    if (!done) setLooked({ csv, report: await importProducts({ csv }) })
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
        Export the products, change the table in a spreadsheet, save it as CSV and choose it here. You see what would
        change before anything does. A row without an id becomes a new product, hidden until it has a picture.
      </p>
      <label className="button-quiet relative cursor-pointer justify-self-start focus-within:outline focus-within:outline-[3px] focus-within:outline-offset-2 focus-within:outline-chilli">
        {looked ? 'Choose another table' : 'Choose a table'}
        <input
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          className="sr-only"
          onChange={({ currentTarget }) => {
            void choose(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
      </label>
      <p role="status" className="empty:hidden">
        {busy ? 'Reading the table…' : looked && summary(looked.report)}
      </p>
      <Failure failure={failure} />
      {looked && <ImportRows report={looked.report} />}
      {looked && (
        <div className="flex flex-wrap gap-3">
          {countOf(looked.report) > 0 && !looked.report.isDone && (
            <button
              type="button"
              aria-disabled={busy}
              className="button-primary aria-disabled:opacity-60"
              onClick={() => void importIt(looked)}
            >
              {busy ? 'Importing…' : `Import ${productCount(countOf(looked.report))}`}
            </button>
          )}
          <button type="button" className="button-quiet" onClick={onClose}>
            {looked.report.isDone ? 'All products' : 'Cancel'}
          </button>
        </div>
      )}
    </div>
  )
}

/** How many products would change or come. */
function countOf({ rows }: ImportReport): number {
  return rows.filter(({ what }) => what === 'new' || what === 'changed').length
}

function summary({ rows, ignored, isDone }: ImportReport): string {
  const count = (what: string): number => rows.filter(row => row.what === what).length
  const wrong = count('wrong')
  return [
    isDone ? 'Imported:' : 'The table would bring:',
    `${count('changed')} changed, ${count('new')} new, ${count('same')} as they are`,
    wrong > 0 ? `, and ${wrong} with something wrong, ${isDone ? 'left out' : 'which would be left out'}.` : '.',
    ignored.length > 0 ? ` These columns mean nothing to the shop: ${ignored.join(', ')}.` : ''
  ]
    .join(' ')
    .replace(/ ([,.])/g, '$1')
}
