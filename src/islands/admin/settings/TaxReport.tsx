import { useState } from 'react'
import { readTaxReport } from '#lib/stores/admin/settings.ts'
import { TAX_MESSAGES } from '#lib/tax/documents.ts'
import { listMonths } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Options } from '../../ui/Field.tsx'
import { saveFile } from '../../../lib/browser.ts'
import { toastErrors } from '../ui/toast-errors.ts'

const MONTHS = 24

export function TaxReport() {
  const months = listMonths(Date.now(), MONTHS)
  // The month that is over is the one to report.
  const [month, setMonth] = useState(months[1]?.[0] ?? '')
  const download = async () => saveFile(await readTaxReport(month), `tax-${month}.csv`)
  return (
    <section aria-labelledby="tax-report" className="card grid gap-3 p-4 sm:p-6">
      <h3 id="tax-report" className="text-lg">
        Report for your accountant
      </h3>
      <p>
        A CSV with the sums of a month by state and tax rate: invoices, credit notes and the difference. An accountant
        must check it before it goes into a return.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <label className="grid gap-1 font-semibold">
          Month
          <select className="field font-normal" value={month} onChange={({ target }) => setMonth(target.value)}>
            <Options choices={months} />
          </select>
        </label>
        <Button label="Download report" onClick={() => void toastErrors(download, TAX_MESSAGES.exportFailed)} />
      </div>
    </section>
  )
}
