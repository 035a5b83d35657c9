import { type ReactNode, useId } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import type { Order, Seller } from '#lib/contract/orders.ts'
import { fromRupees } from '#lib/money.ts'
import { toPaymentLabel } from '#lib/order.ts'
import { toShopAddressLines } from '#lib/settings.ts'
import { formatAmountInWords, listPapers, type Paper, toTaxView } from '#lib/tax/invoice.ts'
import { formatDate } from '#lib/time.ts'
import { api } from '#lib/api.ts'
import { KOLAM } from '#lib/art/icons.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { paths } from '#lib/paths.ts'
import { Fact, Lines } from '../ui/Facts.tsx'
import { useGuard, useLoad } from '../ui/hooks.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { AlertState, Loading } from '../ui/States.tsx'
import { InvoiceLines, TaxLines, TaxSummary } from './InvoiceLines.tsx'

interface InvoiceProps {
  order: Order
  paper: Paper
  children?: ReactNode
}

/** Narrow in print, so that most orders fit on one A4 sheet. */
export function Invoice({ order, paper, children }: InvoiceProps) {
  const { orderNumber, createdAt, razorpay_payment_id: payment } = order
  const heading = useId()
  const tax = toTaxView(order, paper)
  return (
    <article
      aria-labelledby={heading}
      className="card mx-auto max-w-3xl p-4 sm:p-8 print:max-w-none print:p-0 print:text-sm print:shadow-none"
    >
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <img {...KOLAM} loading="eager" className="size-14" />
          <h1 id={heading} className="min-w-0 text-2xl [overflow-wrap:anywhere]">
            {paper.title}
          </h1>
        </div>
        <p className="sm:text-right">
          <b>{t('No. {number}', { number: paper.number })}</b>
          <span className="block">{formatDate(paper.date)}</span>
        </p>
      </div>
      {paper.sentence && <p className="mt-2 font-semibold">{paper.sentence}</p>}
      <div className="mt-6 grid gap-6 sm:grid-cols-2 print:mt-4 print:grid-cols-2">
        <SellerBlock seller={paper.seller} />
        <BuyerBlock order={order} isCredit={paper.credits !== undefined} />
      </div>
      {tax ? <TaxLines tax={tax} /> : <InvoiceLines paper={paper} coupon={order.coupon?.code} />}
      {tax && <TaxSummary tax={tax} />}
      <dl className="mt-6 grid gap-2 print:mt-4 print:gap-1">
        <Fact inRow term={t('Amount in words')}>
          {formatAmountInWords(fromRupees(paper.totalAmount))}
        </Fact>
        {paper.credits && (
          <Fact inRow term={t('Credit for')}>
            {paper.credits}
          </Fact>
        )}
        <Fact inRow term={t('Order')}>{`${orderNumber}, ${formatDate(createdAt)}`}</Fact>
        <Fact inRow term={t('Payment')}>
          {[toPaymentLabel(order), t('by Razorpay'), payment].filter(Boolean).join(' · ')}
        </Fact>
        {tax && (
          <>
            <Fact inRow term={t('Place of supply')}>
              {tax.placeOfSupply}
            </Fact>
            <Fact inRow term={t('Reverse charge')}>
              {t('No')}
            </Fact>
          </>
        )}
        {paper.taxText && (
          <Fact inRow term={t('Tax')}>
            {paper.taxText}
          </Fact>
        )}
      </dl>
      <p className="mt-6 text-sm text-ink/70 print:mt-4">
        {t('Computer-generated {title}; no signature needed.', {
          title: paper.title.toLowerCase()
        })}
      </p>
      {children}
    </article>
  )
}

function SellerBlock({
  seller: { name, legalName, address, phone, email, fssai, gstin }
}: {
  seller: Seller
}) {
  return (
    <Block title={t('Seller')}>
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

function BuyerBlock({ order, isCredit }: { order: Order; isCredit: boolean }) {
  const { customerDetails, shippingAddress, deliveryMethod } = order
  const isPickup = deliveryMethod === 'pickup'
  return (
    <Block title={t(isPickup || isCredit ? 'Billed to' : 'Billed and delivered to')}>
      <b className="break-words">{customerDetails.name}</b>
      <Lines
        lines={isPickup ? [t('Pickup at the seller’s address')] : toAddressLines(shippingAddress)}
      />
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

interface InvoicePageProps {
  /** For orders older than the facts that invoices store. */
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
    return (
      <NoInvoice
        text={
          isMissing
            ? CHECKOUT_MESSAGES.orderNotFound
            : t('Failed to load the invoice. Please try again later.')
        }
      />
    )
  }
  const [invoice, ...creditNotes] = listPapers(order.value, shop)
  // Older links, without a number, mean the cancellation's, which is the last.
  const paper =
    creditNote === null
      ? invoice
      : (creditNotes.find(({ number }) => number === creditNote) ?? creditNotes.at(-1))
  if (!paper) {
    return (
      <NoInvoice
        text={t(
          creditNote === null
            ? 'No invoice: this order has not been paid.'
            : 'This order has no credit note.'
        )}
      />
    )
  }
  return (
    <Invoice order={order.value} paper={paper}>
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <Button look="primary" label={t('Print')} onClick={() => print()} />
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
