import type { ReactNode } from 'react'
import { langOf, t } from '#lib/contract/texts.ts'
import type { Order } from '#lib/contract/orders.ts'
import { formatPaise, formatRupees, fromRupees, multiply, sumPaise, toPaise } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import { EXTRA_LABELS, type Paper, type TaxView } from '#lib/tax/invoice.ts'

type Item = Order['items'][number]
type TaxedLine = TaxView['rates'][number]

const CELL = 'px-2 py-2 text-right first:pl-0 first:text-left last:pr-0 print:py-1'
const WIDE_CELL = `hidden sm:table-cell print:table-cell ${CELL}`

const HEAD = 'border-b-2 border-ink/70 text-[length:min(0.875rem,4.4vw)]'

interface Row {
  text: ReactNode
  /** Replaces the cells on phones. */
  narrow: ReactNode
  cells: readonly ReactNode[]
  amount: string
}

interface ItemTableProps {
  /** Between item and amount. */
  columns: readonly string[]
  rows: readonly Row[]
  children: ReactNode
}

function ItemTable({ columns, rows, children }: ItemTableProps) {
  return (
    <table className="mt-6 w-full print:mt-4 border-collapse text-left">
      <caption className="sr-only">{t('Order items')}</caption>
      <thead>
        <tr className={HEAD}>
          {[t('Item'), ...columns, t('Amount')].map(label => (
            <th key={label} scope="col" className={columns.includes(label) ? WIDE_CELL : CELL}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ text, narrow, cells, amount }, index) => (
          <tr key={index} className="border-b border-brass/40 align-top">
            <td className={`[overflow-wrap:anywhere] ${CELL}`}>
              {text}
              <span className="block text-sm sm:hidden print:hidden">{narrow}</span>
            </td>
            <WideCells cells={cells} />
            <td className={CELL}>{amount}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>{children}</tfoot>
    </table>
  )
}

function WideCells({ cells }: Pick<Row, 'cells'>) {
  return cells.map((cell, index) => (
    <td key={index} className={WIDE_CELL}>
      {cell}
    </td>
  ))
}

export function InvoiceLines({ paper, coupon }: { paper: Paper; coupon: string | undefined }) {
  const { items, extras, totalAmount } = paper
  const toListTotal = ({ listPrice, quantity }: Item) => multiply(fromRupees(listPrice), quantity)
  const couponDiscount = sumPaise(items.map(item => fromRupees(item.couponDiscount ?? 0)))
  const others = sumPaise(extras.map(({ amount }) => fromRupees(amount)))
  const goods = fromRupees(totalAmount) - others
  const discount = toPaise(sumPaise(items.map(toListTotal)) - goods - couponDiscount)
  const rows = items.map(item => ({
    text: <ItemText item={item} />,
    narrow: `${item.quantity} × ${formatRupees(item.listPrice)}`,
    cells: [item.quantity, formatRupees(item.listPrice)],
    amount: formatPaise(toListTotal(item))
  }))
  return (
    <ItemTable columns={[t('Qty'), t('Price')]} rows={rows}>
      {discount > 0 && <Sum label={t('Discount')} amount={`−${formatPaise(discount)}`} />}
      {couponDiscount > 0 && (
        <Sum
          label={t('Coupon {code}', { code: coupon ?? '' })}
          amount={`−${formatPaise(couponDiscount)}`}
        />
      )}
      {extras.map(({ kind, amount }) => (
        <Sum key={kind} label={EXTRA_LABELS[kind]} amount={formatRupees(amount)} />
      ))}
      <Sum label={t('Total')} amount={formatRupees(totalAmount)} strong />
    </ItemTable>
  )
}

function ItemText({ item }: { item: Item }) {
  const { product, packSize, discount, couponDiscount, hsn } = item
  return (
    <>
      <span lang={langOf(product.name)}>{product.name}</span>
      <span className="block text-sm text-ink/70">
        {[
          packSize && formatPack(packSize),
          discount !== undefined && t('{percent}% discount', { percent: discount }),
          couponDiscount !== undefined &&
            t('coupon −{amount}', { amount: formatRupees(couponDiscount) }),
          hsn !== undefined && `HSN ${hsn}`
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  )
}

function Sum({
  label,
  amount,
  strong = false
}: {
  label: string
  amount: string
  strong?: boolean
}) {
  return (
    <tr
      className={
        strong ? 'border-t-2 border-ink/70 text-[length:min(1.125rem,7vw)] font-semibold' : ''
      }
    >
      <td colSpan={2} className={WIDE_CELL} />
      <th scope="row" className="p-2 text-right">
        {label}
      </th>
      <td className={CELL}>{amount}</td>
    </tr>
  )
}

/** CGST and SGST each have half the rate. */
const toPercent = (basisPoints: number) => `${basisPoints / 100}%`

/** Amounts are after discounts. */
export function TaxLines({ tax: { lines, extras, columns, total } }: { tax: TaxView }) {
  const toRow = (text: ReactNode, tax: TaxedLine, item?: Item): Row => ({
    text,
    narrow: (
      <>
        {item && `${item.quantity} × ${formatRupees(item.price)}`}
        <span className="block">
          {t('Taxable value')} {formatPaise(tax.taxable)}
        </span>
        {columns.map(([part, label]) => (
          <span key={part} className="block">
            {label} {toPercent(tax.rate / columns.length)} {formatPaise(tax[part])}
          </span>
        ))}
      </>
    ),
    cells: [
      item?.quantity,
      formatPaise(tax.taxable),
      ...columns.map(([part]) => (
        <>
          {formatPaise(tax[part])}
          <span className="block text-sm text-ink/70">{toPercent(tax.rate / columns.length)}</span>
        </>
      ))
    ],
    amount: formatPaise(sumPaise([tax.taxable, tax.cgst, tax.sgst, tax.igst]))
  })
  const rows = [
    ...lines.map(({ item, tax }) => toRow(<ItemText item={item} />, tax, item)),
    ...extras.map(({ text, tax }) => toRow(text, tax))
  ]
  return (
    <ItemTable
      columns={[t('Qty'), t('Taxable value'), ...columns.map(([, label]) => label)]}
      rows={rows}
    >
      <tr className="border-t-2 border-ink/70 font-semibold">
        <th scope="row" className={CELL}>
          {t('Total')}
        </th>
        <WideCells
          cells={[
            '',
            formatPaise(total.taxable),
            ...columns.map(([part]) => formatPaise(total[part]))
          ]}
        />
        <td className={CELL}>{formatPaise(sumPaise(Object.values(total)))}</td>
      </tr>
    </ItemTable>
  )
}

export function TaxSummary({ tax: { rates, columns } }: { tax: TaxView }) {
  return (
    <table className="mt-6 border-collapse print:mt-4 text-left text-[length:min(0.875rem,4.4vw)]">
      <caption className="mb-1 text-left font-semibold">{t('Tax by rate')}</caption>
      <thead>
        <tr className={HEAD}>
          {[t('Rate'), t('Taxable value'), ...columns.map(([, label]) => label)].map(label => (
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
