import { formatPaise, formatRupees, sumPaise } from '#lib/money.ts'
import type { TaxView } from '#lib/tax/invoice.ts'
import { CELL, ItemText, WIDE_CELL } from './InvoiceLines.tsx'

const HEAD = 'border-b-2 border-ink/70 text-sm'
const FOOT = 'border-t-2 border-ink/70 font-semibold'

/** CGST and SGST each have half the rate. */
const toPercent = (basisPoints: number): string => `${basisPoints / 100}%`

/** The lines of a tax invoice. Amounts are after discounts. On phones, the taxes are under the item's name. */
export function TaxLines({ tax: { lines, delivery, columns, total } }: { tax: TaxView }) {
  const rows = [
    ...lines.map(({ item, tax }) => ({
      text: <ItemText item={item} />,
      quantity: String(item.quantity),
      packs: `${item.quantity} × ${formatRupees(item.price)}`,
      tax
    })),
    ...delivery.map(tax => ({ text: `Delivery of items at ${toPercent(tax.rate)}`, quantity: '', packs: '', tax }))
  ]
  return (
    <table className="mt-6 w-full print:mt-4 border-collapse text-left">
      <caption className="sr-only">Order items</caption>
      <thead>
        <tr className={HEAD}>
          <th scope="col" className={CELL}>
            Item
          </th>
          {['Qty', 'Taxable value', ...columns.map(([, label]) => label)].map(label => (
            <th key={label} scope="col" className={WIDE_CELL}>
              {label}
            </th>
          ))}
          <th scope="col" className={CELL}>
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ text, quantity, packs, tax }, index) => (
          <tr key={index} className="border-b border-brass/40 align-top">
            <td className={`break-words ${CELL}`}>
              {text}
              <span className="block text-sm sm:hidden print:hidden">
                {packs}
                <span className="block">Taxable value {formatPaise(tax.taxable)}</span>
                {columns.map(([part, label]) => (
                  <span key={part} className="block">
                    {label} {toPercent(tax.rate / columns.length)} {formatPaise(tax[part])}
                  </span>
                ))}
              </span>
            </td>
            <td className={WIDE_CELL}>{quantity}</td>
            <td className={WIDE_CELL}>{formatPaise(tax.taxable)}</td>
            {columns.map(([part]) => (
              <td key={part} className={WIDE_CELL}>
                {formatPaise(tax[part])}
                <span className="block text-sm text-ink/70">{toPercent(tax.rate / columns.length)}</span>
              </td>
            ))}
            <td className={CELL}>{formatPaise(sumPaise([tax.taxable, tax.cgst, tax.sgst, tax.igst]))}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className={FOOT}>
          <th scope="row" className={CELL}>
            Total
          </th>
          <td className={WIDE_CELL} />
          <td className={WIDE_CELL}>{formatPaise(total.taxable)}</td>
          {columns.map(([part]) => (
            <td key={part} className={WIDE_CELL}>
              {formatPaise(total[part])}
            </td>
          ))}
          <td className={CELL}>{formatPaise(sumPaise(Object.values(total)))}</td>
        </tr>
      </tfoot>
    </table>
  )
}

export function TaxSummary({ tax: { rates, columns } }: { tax: TaxView }) {
  return (
    <table className="mt-6 border-collapse print:mt-4 text-left text-sm">
      <caption className="mb-1 text-left font-semibold">Tax by rate</caption>
      <thead>
        <tr className={HEAD}>
          {['Rate', 'Taxable value', ...columns.map(([, label]) => label)].map(label => (
            <th key={label} scope="col" className={CELL}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rates.map(line => (
          <tr key={line.rate} className="border-b border-brass/40">
            <th scope="row" className={CELL}>
              {toPercent(line.rate)}
            </th>
            <td className={CELL}>{formatPaise(line.taxable)}</td>
            {columns.map(([part]) => (
              <td key={part} className={CELL}>
                {formatPaise(line[part])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
