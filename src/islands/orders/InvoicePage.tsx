import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import type { ShopError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { readOrder } from '#lib/stores/orders.ts'
import { useGuard } from '../account/use-session.ts'
import { AlertState, Skeleton } from '../ui/Loading.tsx'
import { useLoad } from '../ui/use-load.ts'
import { Invoice, type Seller } from './Invoice.tsx'

export function InvoicePage({ seller }: { seller: Seller }) {
  const session = useGuard()
  return session.state === 'authenticated' ? <OrderInvoice seller={seller} /> : <Skeleton rows={4} />
}

function OrderInvoice({ seller }: { seller: Seller }) {
  const id = new URLSearchParams(location.search).get('order') ?? ''
  const [order] = useLoad(id, () => readOrder(id))
  if (order.state === 'loading') return <Skeleton rows={4} />
  if (order.state === 'failed') return <NoInvoice text={failureText(order.error)} />
  const { invoiceNumber } = order.value
  if (invoiceNumber === null) return <NoInvoice text={CHECKOUT_MESSAGES.invoiceNone} />
  return <Invoice order={order.value} number={invoiceNumber} seller={seller} />
}

function NoInvoice({ text }: { text: string }) {
  return (
    <AlertState text={text}>
      <a href={paths.orders} className="button-primary">
        {CHECKOUT_MESSAGES.viewOrders}
      </a>
    </AlertState>
  )
}

function failureText({ status }: ShopError): string {
  return status === 404 ? CHECKOUT_MESSAGES.orderNotFound : CHECKOUT_MESSAGES.invoiceFailed
}
