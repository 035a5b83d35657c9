import type { ReactNode } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/account/forms.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { toTaxText } from '#lib/checkout/order-rules.ts'
import type { Order } from '#lib/contract/orders.ts'
import { formatAmountInWords, formatPaise, formatRupees, fromRupees, multiply, sumPaise, toPaise } from '#lib/money.ts'
import { PAYMENT_LABELS } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { toShopAddressLines, type ShopDetails } from '#lib/settings.ts'
import { readOrder } from '#lib/stores/orders.ts'
import { formatDate } from '#lib/time.ts'
import { useGuard } from '../account/use-session.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { FactRow, Lines } from '../ui/Facts.tsx'
import { AlertState, Skeleton } from '../ui/Loading.tsx'
import { useLoad } from '../ui/hooks.ts'

export function InvoicePage({ seller }: { seller: Seller }) {
  const session = useGuard()
  return session.state === 'authenticated' ? <OrderInvoice seller={seller} /> : <Skeleton rows={4} />
}

function OrderInvoice({ seller }: { seller: Seller }) {
  const id = new URLSearchParams(location.search).get('order') ?? ''
  const [order] = useLoad(id, () => readOrder(id))
  if (order.state === 'loading') return <Skeleton rows={4} />
  if (order.state === 'failed') {
    const isMissing = order.error.status === 404
    return <NoInvoice text={isMissing ? CHECKOUT_MESSAGES.orderNotFound : CHECKOUT_MESSAGES.invoiceFailed} />
  }
  const { invoiceNumber } = order.value
  if (invoiceNumber === null) return <NoInvoice text={CHECKOUT_MESSAGES.invoiceNone} />
  return <Invoice order={order.value} number={invoiceNumber} seller={seller} />
}

function NoInvoice({ text }: { text: string }) {
  return (
    <AlertState text={text}>
      <ButtonLink look="primary" label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />
    </AlertState>
  )
}

export type Seller = Pick<ShopDetails, 'name' | 'legalName' | 'address' | 'phone' | 'email' | 'fssai' | 'gstin'>

interface InvoiceProps {
  order: Order
  number: string
  seller: Seller
}

/** The print layout fits on one A4 sheet. */
function Invoice({ order, number, seller }: InvoiceProps) {
  const { orderNumber, createdAt, paidAt, paymentStatus, razorpay_payment_id: payment } = order
  return (
    <article
      aria-labelledby="invoice"
      className="card mx-auto max-w-3xl p-4 sm:p-8 print:max-w-none print:p-0 print:shadow-none"
    >
      <div className="flex flex-wrap items-start justify-between gap-4">
        <h1 id="invoice" className="text-2xl">
          Invoice
        </h1>
        <p className="sm:text-right">
          <b>No. {number}</b>
          <span className="block">{formatDate(paidAt ?? createdAt)}</span>
        </p>
      </div>
      <div className="mt-6 grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <SellerBlock seller={seller} />
        <BuyerBlock order={order} />
      </div>
      <InvoiceLines order={order} />
      <dl className="mt-6 grid gap-2">
        <FactRow term="Amount in words">{formatAmountInWords(fromRupees(order.totalAmount))}</FactRow>
        <FactRow term="Order">{`${orderNumber}, ${formatDate(createdAt)}`}</FactRow>
        <FactRow term="Payment">
          {[PAYMENT_LABELS[paymentStatus], 'by Razorpay', payment].filter(Boolean).join(' · ')}
        </FactRow>
        <FactRow term="Tax">{toTaxText(seller)}</FactRow>
      </dl>
      <p className="mt-6 text-sm text-ink/70">Computer-generated invoice; no signature needed.</p>
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <Button look="primary" label="Print" onClick={() => print()} />
        <ButtonLink label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />
      </div>
    </article>
  )
}

function SellerBlock({ seller: { name, legalName, address, phone, email, fssai, gstin } }: { seller: Seller }) {
  return (
    <Block title="Seller">
      <b>{legalName || name}</b>
      {legalName !== '' && legalName !== name && <span className="block">{name}</span>}
      <Lines lines={toShopAddressLines(address)} />
      <span className="mt-2 block">{phone}</span>
      <span className="block break-words">{email}</span>
      {fssai !== '' && <span className="mt-2 block">FSSAI {fssai}</span>}
      {gstin !== '' && <span className="block">GSTIN {gstin}</span>}
    </Block>
  )
}

function BuyerBlock({ order: { customerDetails, shippingAddress } }: { order: Order }) {
  return (
    <Block title="Billed and delivered to">
      <b className="break-words">{customerDetails.name}</b>
      <Lines lines={toAddressLines(shippingAddress)} />
      <span className="mt-2 block">{formatPhone(customerDetails.phone)}</span>
      <span className="block break-words">{customerDetails.email}</span>
    </Block>
  )
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-1 font-sans text-sm font-semibold text-ink/70">{title}</h2>
      <address className="not-italic">{children}</address>
    </section>
  )
}

const CELL = 'px-2 py-2 text-right tabular-nums first:pl-0 first:text-left last:pr-0'
/** On phones, quantity and price are under the item's name. */
const WIDE_CELL = `hidden sm:table-cell print:table-cell ${CELL}`

function InvoiceLines({ order: { items, totalAmount } }: { order: Order }) {
  const listTotal = sumPaise(items.map(({ listPrice, quantity }) => multiply(fromRupees(listPrice), quantity)))
  const discount = toPaise(listTotal - fromRupees(totalAmount))
  return (
    <table className="mt-6 w-full border-collapse text-left">
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
        <Sum label="Total" amount={formatRupees(totalAmount)} strong />
      </tfoot>
    </table>
  )
}

function Line({ item }: { item: Order['items'][number] }) {
  const { product, packSize, quantity, listPrice, discount } = item
  return (
    <tr className="border-b border-brass/40 align-top">
      <td className={`break-words ${CELL}`}>
        {product.name}
        <span className="block text-sm text-ink/70">
          {packSize && formatPack(packSize)}
          {discount !== undefined && ` · ${discount}% discount`}
        </span>
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
