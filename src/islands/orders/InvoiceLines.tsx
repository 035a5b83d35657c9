import type { ReactNode } from 'react'
import type { Order } from '#lib/contract/orders.ts'
import { formatPaise, formatRupees, fromRupees, multiply, sumPaise, toPaise } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import type { Paper, TaxView } from '#lib/tax/invoice.ts'

const CELL = 'px-2 py-2 text-right tabular-nums first:pl-0 first:text-left last:pr-0 print:py-1'
/** On phones, quantity and price are under the item's name. */
const WIDE_CELL = `hidden sm:table-cell print:table-cell ${CELL}`

const HEAD = 'border-b-2 border-ink/70 text-sm'

function ItemTable({ columns, children }: { columns: readonly string[]; children: ReactNode }) {
  return (
    <table className="mt-6 w-full print:mt-4 border-collapse text-left">
      <caption className="sr-only">Order items</caption>
      <thead>
        <tr className={HEAD}>
          {['Item', ...columns, 'Amount'].map(label => (
            <th key={label} scope="col" className={columns.includes(label) ? WIDE_CELL : CELL}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  )
}

export function InvoiceLines({ paper, coupon }: { paper: Paper; coupon: string | undefined }) {
  const { items, deliveryFee = 0, totalAmount } = paper
  const couponDiscount = sumPaise(items.map(item => fromRupees(item.couponDiscount ?? 0)))
  const listTotal = sumPaise(
    items.map(({ listPrice, quantity }) => multiply(fromRupees(listPrice), quantity))
  )
  const goods = fromRupees(totalAmount) - fromRupees(deliveryFee)
  const discount = toPaise(listTotal - goods - couponDiscount)
  return (
    <ItemTable columns={['Qty', 'Price']}>
      <tbody>
        {items.map(item => (
          <Line key={`${item.product._id} ${item.discount ?? ''}`} item={item} />
        ))}
      </tbody>
      <tfoot>
        {discount > 0 && <Sum label="Discount" amount={`−${formatPaise(discount)}`} />}
        {couponDiscount > 0 && (
          <Sum label={`Coupon ${coupon}`} amount={`−${formatPaise(couponDiscount)}`} />
        )}
        {deliveryFee > 0 && <Sum label="Delivery" amount={formatRupees(deliveryFee)} />}
        <Sum label="Total" amount={formatRupees(totalAmount)} strong />
      </tfoot>
    </ItemTable>
  )
}

function Line({ item }: { item: Order['items'][number] }) {
  const { quantity, listPrice } = item
  return (
    <tr className="border-b border-brass/40 align-top">
      <td className={`break-words ${CELL}`}>
        <ItemText item={item} />
        <span className="block text-sm sm:hidden print:hidden">
          {quantity} × {formatRupees(listPrice)}
        </span>
      </td>
      <td className={WIDE_CELL}>{quantity}</td>
      <td className={WIDE_CELL}>{formatRupees(listPrice)}</td>
      <td className={CELL}>{formatPaise(multiply(fromRupees(listPrice), quantity))}</td>
    </tr>
  )
}

function ItemText({ item }: { item: Order['items'][number] }) {
  const { product, packSize, discount, couponDiscount, hsn } = item
  return (
    <>
      {product.name}
      <span className="block text-sm text-ink/70">
        {packSize && formatPack(packSize)}
        {discount !== undefined && ` · ${discount}% discount`}
        {couponDiscount !== undefined && ` · coupon −${formatRupees(couponDiscount)}`}
        {hsn !== undefined && ` · HSN ${hsn}`}
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
    <tr className={strong ? 'border-t-2 border-ink/70 text-lg font-semibold' : ''}>
      <td colSpan={2} className={WIDE_CELL} />
      <th scope="row" className="p-2 text-right">
        {label}
      </th>
      <td className={CELL}>{amount}</td>
    </tr>
  )
}

/** CGST and SGST each have half the rate. */
const toPercent = (basisPoints: number): string => `${basisPoints / 100}%`

/**
 * The lines of a tax invoice. Amounts are after discounts. On phones, the taxes are under the
 * item's name.
 */
export function TaxLines({ tax: { lines, delivery, columns, total } }: { tax: TaxView }) {
  const rows = [
    ...lines.map(({ item, tax }) => ({
      text: <ItemText item={item} />,
      quantity: String(item.quantity),
      packs: `${item.quantity} × ${formatRupees(item.price)}`,
      tax
    })),
    ...delivery.map(tax => ({
      text: `Delivery of items at ${toPercent(tax.rate)}`,
      quantity: '',
      packs: '',
      tax
    }))
  ]
  return (
    <ItemTable columns={['Qty', 'Taxable value', ...columns.map(([, label]) => label)]}>
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
                <span className="block text-sm text-ink/70">
                  {toPercent(tax.rate / columns.length)}
                </span>
              </td>
            ))}
            <td className={CELL}>
              {formatPaise(sumPaise([tax.taxable, tax.cgst, tax.sgst, tax.igst]))}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t-2 border-ink/70 font-semibold">
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
    </ItemTable>
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
