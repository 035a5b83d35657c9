import { t } from '#lib/contract/texts.ts'
import type { Order, Seller } from '#lib/contract/orders.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { formatPaise, multiply, type Paise, sumPaise, toRupees } from '#lib/money.ts'
import { COMPOSITION_SENTENCE, DOCUMENT_TITLES, formatSerialNumber } from '#lib/tax/invoice.ts'
import { findStateCode } from '#lib/contract/states.ts'
import {
  findTaxRule,
  splitFee,
  splitTax,
  type Tax,
  type TaxedLine,
  toBasisPoints
} from '#lib/tax/taxes.ts'
import { type EpochMs, toDayInIndia, toFinancialYear } from '#lib/time.ts'
import { raiseCounter } from '../../platform/db/counters.ts'
import type { LineTaxRow, OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { findOwnState, type SellerSettings } from '../../settings/tax.ts'
import { addressOf } from '../queries.ts'

type InvoiceFacts = Pick<OrderRow, 'tax_status' | 'supply_state' | 'seller' | 'delivery_tax'>

export async function storeTaxes(
  trx: Trx,
  order: OrderRow,
  lines: readonly OrderLineRow[],
  settings: SellerSettings,
  now: number
): Promise<{ facts: InvoiceFacts; taxedLines: OrderLineRow[] }> {
  const { tax, legal, shop } = settings
  const { name, legalName, address, phone, email } = shop
  const { fssai, gstin } = legal
  const seller: Seller = { name, legalName, address, phone, email, fssai, gstin }
  // The invoice of a pickup names no address of the buyer (IGST Act 2017, section 10(1)(ca)).
  const place = order.delivery_method === 'pickup' ? findOwnState(settings) : addressOf(order).state
  const supplyState = findStateCode(place) ?? null
  const isInterState = supplyState !== null && supplyState !== gstin.slice(0, 2)
  const taxedLines: OrderLineRow[] = []
  for (const line of lines) {
    const lineTax = toLineTax(tax, line, { isInterState, day: toDayInIndia(now) })
    if (tax.status !== 'unregistered') {
      const row = trx.updateTable('order_lines').set(lineTax).where('order_id', '=', order.id)
      await row.where('n', '=', line.n).execute()
    }
    taxedLines.push({ ...line, ...lineTax })
  }
  const facts = {
    tax_status: tax.status,
    supply_state: supplyState,
    seller: JSON.stringify(seller),
    delivery_tax:
      tax.status === 'regular' ? formatDeliveryTax(order, taxedLines, isInterState) : null
  }
  return { facts, taxedLines }
}

/** In the transaction that stores the credit note, so that no number is skipped. */
export async function nextCreditNote(
  trx: Trx,
  now: EpochMs
): Promise<{ credit_year: string; credit_no: number }> {
  const year = toFinancialYear(now)
  return { credit_year: year, credit_no: await raiseCounter(trx, `credit notes ${year}`) }
}

function formatDeliveryTax(
  { delivery_fee }: OrderRow,
  lines: readonly OrderLineRow[],
  isInterState: boolean
): string | null {
  const goods = lines.flatMap(({ tax_rate: rate, total: value, list_price, quantity }) =>
    rate === null ? [] : [{ rate, value, listValue: multiply(list_price, quantity) }]
  )
  return delivery_fee === 0 ? null : JSON.stringify(splitFee(delivery_fee, goods, isInterState))
}

function toLineTax(
  tax: Settings['tax'],
  { product_id: product, category, total }: OrderLineRow,
  { isInterState, day }: { isInterState: boolean; day: string }
): Partial<LineTaxRow> {
  if (tax.status === 'unregistered') return {}
  const rule = findTaxRule(tax, { product, category }, day)
  if (tax.status === 'composition') return { hsn: rule?.hsn ?? null }
  // The settings of a regular seller can't be saved without a rule for all products.
  if (!rule) throw new Error(`There is no tax rate for ${product}`)
  const rate = toBasisPoints(rule.rate)
  return { hsn: rule.hsn, tax_rate: rate, ...splitTax(total, rate, isInterState) }
}

export function toInvoice({ tax_status, seller, supply_state }: OrderRow): Pick<Order, 'invoice'> {
  if (tax_status === null || seller === null) return {}
  const facts = { status: tax_status, seller: JSON.parse(seller) as Seller }
  return { invoice: { ...facts, ...(supply_state !== null && { supplyState: supply_state }) } }
}

export function toItemTax({
  hsn,
  tax_rate,
  ...amounts
}: LineTaxRow): Pick<Order['items'][number], 'hsn' | 'tax'> {
  const tax = tax_rate !== null && { rate: tax_rate / 100, ...toAmounts(amounts) }
  return { ...(hsn !== null && { hsn }), ...(tax && { tax }) }
}

/** Only of tax invoices. */
export function toOtherTax(lines: readonly Omit<LineTaxRow, 'hsn'>[]): {
  otherTax?: NonNullable<Order['deliveryTax']>
} {
  const taxes = lines.flatMap(({ tax_rate, ...amounts }) =>
    tax_rate === null ? [] : [{ rate: tax_rate / 100, ...toAmounts(amounts) }]
  )
  return taxes.length > 0 ? { otherTax: taxes } : {}
}

export function deliveryTaxOf({ delivery_tax }: Pick<OrderRow, 'delivery_tax'>): TaxedLine[] {
  return delivery_tax === null ? [] : (JSON.parse(delivery_tax) as TaxedLine[])
}

export function toDeliveryTax(row: OrderRow): Pick<Order, 'deliveryTax'> {
  const taxes = deliveryTaxOf(row).map(({ rate, ...amounts }) => ({
    rate: rate / 100,
    ...toAmounts(amounts)
  }))
  return taxes.length > 0 ? { deliveryTax: taxes } : {}
}

function toAmounts({
  taxable,
  cgst,
  sgst,
  igst
}: Record<keyof Tax, Paise | null>): Record<keyof Tax, number> {
  const rupees = (amount: Paise | null) => (amount === null ? 0 : toRupees(amount))
  return {
    taxable: rupees(taxable),
    cgst: rupees(cgst),
    sgst: rupees(sgst),
    igst: rupees(igst)
  }
}

export function invoiceText(order: OrderRow, lines: readonly LineTaxRow[]): string {
  const { invoice_year, invoice_no, tax_status } = order
  const status = tax_status ?? 'unregistered'
  const number = formatSerialNumber('PG', invoice_year, invoice_no) ?? ''
  const taxes = [...lines, ...deliveryTaxOf(order)]
  const tax = sumPaise(
    taxes.flatMap(({ cgst, sgst, igst }) => [cgst, sgst, igst].filter(amount => amount !== null))
  )
  const title = `${DOCUMENT_TITLES[status]} ${number}.`
  if (status === 'composition') return `${title} ${t(COMPOSITION_SENTENCE)}.`
  return status === 'regular'
    ? `${title} ${t('The total includes GST of {tax}.', { tax: formatPaise(tax) })}`
    : title
}
