import type { Order, Seller } from '#lib/contract/orders.ts'
import { formatPaise, sumPaise, toPaise, toRupees } from '#lib/money.ts'
import { COMPOSITION_SENTENCE, DOCUMENT_TITLES, formatSerialNumber } from '#lib/tax/documents.ts'
import type { Tax, TaxedLine } from '#lib/tax/taxes.ts'
import type { LineTaxRow, OrderRow } from '../../platform/db/order-tables.ts'

/** Returns nothing for orders that are older than the stored facts. */
export function toInvoice({ tax_status, seller, supply_state }: OrderRow): Pick<Order, 'invoice'> {
  if (tax_status === null || seller === null) return {}
  const facts = { status: tax_status, seller: JSON.parse(seller) as Seller }
  return { invoice: { ...facts, ...(supply_state !== null && { supplyState: supply_state }) } }
}

export function toItemTax({ hsn, tax_rate, ...amounts }: LineTaxRow): Pick<Order['items'][number], 'hsn' | 'tax'> {
  const { taxable, cgst, sgst, igst } = amounts
  const none = toPaise(0)
  const tax = tax_rate !== null && {
    rate: tax_rate / 100,
    ...toAmounts({ taxable: taxable ?? none, cgst: cgst ?? none, sgst: sgst ?? none, igst: igst ?? none })
  }
  return { ...(hsn !== null && { hsn }), ...(tax && { tax }) }
}

export function deliveryTaxOf({ delivery_tax }: Pick<OrderRow, 'delivery_tax'>): TaxedLine[] {
  return delivery_tax === null ? [] : (JSON.parse(delivery_tax) as TaxedLine[])
}

export function toDeliveryTax(row: OrderRow): Pick<Order, 'deliveryTax'> {
  const taxes = deliveryTaxOf(row).map(({ rate, ...amounts }) => ({ rate: rate / 100, ...toAmounts(amounts) }))
  return taxes.length > 0 ? { deliveryTax: taxes } : {}
}

function toAmounts({ taxable, cgst, sgst, igst }: Tax): Record<keyof Tax, number> {
  return { taxable: toRupees(taxable), cgst: toRupees(cgst), sgst: toRupees(sgst), igst: toRupees(igst) }
}

/** Returns a sentence for mails, with the kind and the number of the invoice. */
export function invoiceText(order: OrderRow, lines: readonly LineTaxRow[]): string {
  const { invoice_year, invoice_no, tax_status } = order
  const status = tax_status ?? 'unregistered'
  const number = formatSerialNumber('PG', invoice_year, invoice_no) ?? ''
  const taxes = [...lines, ...deliveryTaxOf(order)]
  const tax = sumPaise(taxes.flatMap(({ cgst, sgst, igst }) => [cgst, sgst, igst].filter(amount => amount !== null)))
  const notes = {
    unregistered: '',
    composition: ` ${COMPOSITION_SENTENCE}.`,
    regular: ` The total includes GST of ${formatPaise(tax)}.`
  }
  return `${DOCUMENT_TITLES[status]} ${number}.${notes[status]}`
}
