import { toTaxText } from '../checkout/order-rules.ts'
import type { Order, Seller } from '../contract/orders.ts'
import { fromRupees } from '../money.ts'
import { formatDate } from '../time.ts'
import { COMPOSITION_SENTENCE, DOCUMENT_TITLES } from './documents.ts'
import { formatSupplyState, toStateTaxName } from './states.ts'
import { sumByRate, sumTaxes, toBasisPoints, type Tax, type TaxedLine } from './taxes.ts'

type Item = Order['items'][number]

/** The head of an invoice or credit note, and its sentences about taxes. */
export interface Paper {
  title: string
  number: string
  date: string
  seller: Seller
  /** The invoice that a credit note is for. */
  credits?: string
  /** What the law wants below the title. */
  sentence?: string
  taxText?: string
}

/**
 * Returns undefined if the order has no invoice or no credit note. `shop` is for orders that are older than the facts
 * that invoices store.
 */
export function toPaper(
  order: Order,
  shop: { seller: Seller; taxText: string },
  isCreditNote: boolean
): Paper | undefined {
  const { invoice, invoiceNumber, creditNoteNumber, paidAt, createdAt, history } = order
  const status = invoice?.status ?? 'unregistered'
  const date = paidAt ?? createdAt
  const invoiceTitle = DOCUMENT_TITLES[status]
  if (invoiceNumber === null || (isCreditNote && creditNoteNumber === undefined)) return undefined
  const seller = invoice?.seller ?? shop.seller
  const taxText = invoice ? toTaxText({ status, gstin: seller.gstin }) : shop.taxText
  const paper = {
    title: invoiceTitle,
    number: invoiceNumber,
    date,
    seller,
    ...(status === 'composition' && { sentence: COMPOSITION_SENTENCE }),
    ...((!invoice || status === 'regular') && { taxText })
  }
  if (creditNoteNumber === undefined || !isCreditNote) return paper
  return {
    ...paper,
    title: 'Credit note',
    number: creditNoteNumber,
    date: history.find(step => step.status === 'cancelled')?.at ?? date,
    credits: `${invoiceTitle} ${invoiceNumber} of ${formatDate(date)}`
  }
}

export interface TaxView {
  /** Columns of the amounts, such as CGST and SGST. */
  columns: readonly (readonly [part: keyof Tax, label: string])[]
  lines: readonly { item: Item; tax: TaxedLine }[]
  /** The delivery fee, for each rate of the goods. */
  delivery: readonly TaxedLine[]
  rates: readonly TaxedLine[]
  total: Tax
  /** For example 'Karnataka (29)'. */
  placeOfSupply: string
}

/** Returns what only a tax invoice shows, or undefined for other invoices. */
export function toTaxView({
  invoice,
  items,
  deliveryTax = []
}: Pick<Order, 'invoice' | 'items' | 'deliveryTax'>): TaxView | undefined {
  if (invoice?.status !== 'regular') return undefined
  const { gstin } = invoice.seller
  const ownState = gstin.slice(0, 2)
  const { supplyState = ownState } = invoice
  const lines = items.flatMap(item => (item.tax ? [{ item, tax: toTaxedLine(item.tax) }] : []))
  const delivery = deliveryTax.map(toTaxedLine)
  const taxes = [...lines.map(({ tax }) => tax), ...delivery]
  return {
    columns: supplyState === ownState ? toStateColumns(ownState) : [['igst', 'IGST']],
    lines,
    delivery,
    rates: sumByRate(taxes),
    total: sumTaxes(taxes),
    placeOfSupply: formatSupplyState(supplyState)
  }
}

function toStateColumns(code: string): TaxView['columns'] {
  return [
    ['cgst', 'CGST'],
    ['sgst', toStateTaxName(code)]
  ]
}

function toTaxedLine({ rate, taxable, cgst, sgst, igst }: NonNullable<Item['tax']>): TaxedLine {
  return {
    rate: toBasisPoints(rate),
    taxable: fromRupees(taxable),
    cgst: fromRupees(cgst),
    sgst: fromRupees(sgst),
    igst: fromRupees(igst)
  }
}
