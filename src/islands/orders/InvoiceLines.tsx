import type { Order } from '#lib/contract/orders.ts'
import { formatPaise, formatRupees, fromRupees, multiply, sumPaise, toPaise } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import type { Paper } from '#lib/tax/invoice.ts'

export const CELL = 'px-2 py-2 text-right tabular-nums first:pl-0 first:text-left last:pr-0 print:py-1'
/** On phones, quantity and price are under the item's name. */
export const WIDE_CELL = `hidden sm:table-cell print:table-cell ${CELL}`

/** The lines of an invoice without taxes. */
export function InvoiceLines({ paper, coupon }: { paper: Paper; coupon: string | undefined }) {
  const { items, deliveryFee = 0, totalAmount } = paper
  const couponDiscount = sumPaise(items.map(item => fromRupees(item.couponDiscount ?? 0)))
  const listTotal = sumPaise(items.map(({ listPrice, quantity }) => multiply(fromRupees(listPrice), quantity)))
  const goods = fromRupees(totalAmount) - fromRupees(deliveryFee)
  const discount = toPaise(listTotal - goods - couponDiscount)
  return (
    <table className="mt-6 w-full print:mt-4 border-collapse text-left">
      <caption className="sr-only">Order items</caption>
      <thead>
        <tr className="border-b-2 border-ink/70 text-sm">
          <th scope="col" className={CELL}>
            Item
          </th>
          <th scope="col" className={WIDE_CELL}>
            Qty
          </th>
          <th scope="col" className={WIDE_CELL}>
            Price
          </th>
          <th scope="col" className={CELL}>
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(item => (
          <Line key={`${item.product._id} ${item.discount ?? ''}`} item={item} />
        ))}
      </tbody>
      <tfoot>
        {discount > 0 && <Sum label="Discount" amount={`−${formatPaise(discount)}`} />}
        {couponDiscount > 0 && <Sum label={`Coupon ${coupon}`} amount={`−${formatPaise(couponDiscount)}`} />}
        {deliveryFee > 0 && <Sum label="Delivery" amount={formatRupees(deliveryFee)} />}
        <Sum label="Total" amount={formatRupees(totalAmount)} strong />
      </tfoot>
    </table>
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

export function ItemText({ item }: { item: Order['items'][number] }) {
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

function Sum({ label, amount, strong = false }: { label: string; amount: string; strong?: boolean }) {
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
