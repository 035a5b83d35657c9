import type { Order, Seller } from '#lib/contract/orders.ts'
import { formatPaise, sumPaise, toRupees, type Paise } from '#lib/money.ts'
import { COMPOSITION_SENTENCE, DOCUMENT_TITLES, formatSerialNumber } from '#lib/tax/documents.ts'
import type { LineTaxRow, OrderRow } from '../../platform/db/order-tables.ts'

/** Returns nothing for orders that are older than the stored facts. */
export function toInvoice({ tax_status, seller, supply_state }: OrderRow): Pick<Order, 'invoice'> {
  if (tax_status === null || seller === null) return {}
  const facts = { status: tax_status, seller: JSON.parse(seller) as Seller }
  return { invoice: { ...facts, ...(supply_state !== null && { supplyState: supply_state }) } }
}

export function toItemTax({ hsn, tax_rate, ...amounts }: LineTaxRow): Pick<Order['items'][number], 'hsn' | 'tax'> {
  const toAmount = (amount: Paise | null): number => toRupees(amount ?? (0 as Paise))
  const tax = tax_rate !== null && {
    rate: tax_rate / 100,
    taxable: toAmount(amounts.taxable),
    cgst: toAmount(amounts.cgst),
    sgst: toAmount(amounts.sgst),
    igst: toAmount(amounts.igst)
  }
  return { ...(hsn !== null && { hsn }), ...(tax && { tax }) }
}

/** Returns a sentence for mails, with the kind and the number of the invoice. */
export function invoiceText({ invoice_year, invoice_no, tax_status }: OrderRow, lines: readonly LineTaxRow[]): string {
  const status = tax_status ?? 'unregistered'
  const number = formatSerialNumber('PG', invoice_year, invoice_no) ?? ''
  const tax = sumPaise(lines.flatMap(({ cgst, sgst, igst }) => [cgst, sgst, igst].filter(amount => amount !== null)))
  const notes = {
    unregistered: '',
    composition: ` ${COMPOSITION_SENTENCE}.`,
    regular: ` The total includes GST of ${formatPaise(tax)}.`
  }
  return `${DOCUMENT_TITLES[status]} ${number}.${notes[status]}`
}
