import type { Order } from '#lib/contract/orders.ts'
import { formatPaise, formatRupees, fromRupees, toPaise, multiply, sumPaise } from '#lib/money.ts'
import { formatPack } from '#lib/pack.ts'

export function InvoiceLines({ order: { items, totalAmount } }: { order: Order }) {
  const listTotal = sumPaise(items.map(({ listPrice, quantity }) => multiply(fromRupees(listPrice), quantity)))
  const discount = toPaise(listTotal - fromRupees(totalAmount))
  return (
    <table className="mt-6 w-full border-collapse text-left">
      <caption className="sr-only">Order items</caption>
      <thead>
        <tr className="border-b-2 border-ink/70 text-sm">
          <th scope="col" className="py-2 pr-2">
            Item
          </th>
          <th scope="col" className="px-2 py-2 text-right">
            Qty
          </th>
          <th scope="col" className="px-2 py-2 text-right">
            Price
          </th>
          <th scope="col" className="py-2 pl-2 text-right">
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
        <Sum label="Total" amount={formatRupees(totalAmount)} strong />
      </tfoot>
    </table>
  )
}

function Line({ item }: { item: Order['items'][number] }) {
  const { product, packSize, quantity, listPrice, discount } = item
  return (
    <tr className="border-b border-brass/40 align-top">
      <td className="py-2 pr-2">
        {product.name}
        <span className="block text-sm text-ink/70">
          {packSize && formatPack(packSize)}
          {discount !== undefined && ` · ${discount}% discount`}
        </span>
      </td>
      <td className="px-2 py-2 text-right tabular-nums">{quantity}</td>
      <td className="px-2 py-2 text-right tabular-nums">{formatRupees(listPrice)}</td>
      <td className="py-2 pl-2 text-right tabular-nums">{formatPaise(multiply(fromRupees(listPrice), quantity))}</td>
    </tr>
  )
}

function Sum({ label, amount, strong = false }: { label: string; amount: string; strong?: boolean }) {
  return (
    <tr className={strong ? 'border-t-2 border-ink/70 text-lg font-semibold' : ''}>
      <th scope="row" colSpan={3} className="py-2 pr-2 text-right">
        {label}
      </th>
      <td className="py-2 pl-2 text-right tabular-nums">{amount}</td>
    </tr>
  )
}
