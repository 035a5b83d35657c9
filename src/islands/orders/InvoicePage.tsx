import { api } from '#lib/api.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import type { Seller } from '#lib/contract/orders.ts'
import { paths } from '#lib/paths.ts'
import { listPapers } from '#lib/tax/invoice.ts'
import { useGuard, useLoad } from '../ui/hooks.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { AlertState, Loading } from '../ui/States.tsx'
import { Invoice } from './Invoice.tsx'

const texts = {
  invoiceNone: 'No invoice: this order has not been paid.',
  creditNoteNone: 'This order has no credit note.',
  invoiceFailed: 'Failed to load the invoice. Please try again later.'
}

interface InvoicePageProps {
  /** For orders that are older than the facts that invoices store. */
  seller: Seller
  taxText: string
}

export function InvoicePage(props: InvoicePageProps) {
  const session = useGuard()
  return session.state === 'authenticated' ? <OrderInvoice {...props} /> : <Loading rows={4} />
}

function OrderInvoice(shop: InvoicePageProps) {
  const params = new URLSearchParams(location.search)
  const id = params.get('order') ?? ''
  const creditNote = params.get('credit-note')
  const [order] = useLoad(id, () => api('GET /orders/{id}', { params: { id } }))
  if (order.state === 'loading') return <Loading rows={4} />
  if (order.state === 'failed') {
    const isMissing = order.error.replyStatus === 404
    return <NoInvoice text={isMissing ? CHECKOUT_MESSAGES.orderNotFound : texts.invoiceFailed} />
  }
  const [invoice, ...creditNotes] = listPapers(order.value, shop)
  // Older links name no number. They are about the credit note of a cancellation, which is the last
  // one.
  const paper =
    creditNote === null
      ? invoice
      : (creditNotes.find(({ number }) => number === creditNote) ?? creditNotes.at(-1))
  if (!paper) {
    return <NoInvoice text={creditNote === null ? texts.invoiceNone : texts.creditNoteNone} />
  }
  return (
    <Invoice order={order.value} paper={paper}>
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <Button look="primary" label="Print" onClick={() => print()} />
        <ButtonLink label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />
      </div>
    </Invoice>
  )
}

function NoInvoice({ text }: { text: string }) {
  return (
    <AlertState text={text}>
      <ButtonLink look="primary" label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />
    </AlertState>
  )
}
