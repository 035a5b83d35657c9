import type { Seller } from '#lib/contract/orders.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { multiply } from '#lib/money.ts'
import { findStateCode } from '#lib/tax/states.ts'
import { findTaxRule, splitFee, splitTax, toBasisPoints } from '#lib/tax/taxes.ts'
import { toDayInIndia } from '#lib/time.ts'
import type { LineTaxRow, OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { readSellerSettings } from '../../settings/settings.ts'
import { addressOf } from '../order-queries.ts'

export type InvoiceFacts = Pick<OrderRow, 'tax_status' | 'supply_state' | 'seller' | 'delivery_tax'>

/**
 * Stores the taxes of the lines, by the current settings. Returns the lines and the invoice's facts, with the tax on the
 * delivery fee, for the caller to store. `now` is in ms.
 */
export async function storeTaxes(
  trx: Trx,
  order: OrderRow,
  lines: readonly OrderLineRow[],
  now: number
): Promise<{ facts: InvoiceFacts; taxedLines: OrderLineRow[] }> {
  const settings = await readSellerSettings(trx)
  const { tax, legal } = settings
  const supplyState = findStateCode(addressOf(order).state) ?? null
  const isInterState = supplyState !== null && supplyState !== legal.gstin.slice(0, 2)
  const taxedLines: OrderLineRow[] = []
  for (const line of lines) {
    const lineTax = toLineTax(tax, line, { isInterState, day: toDayInIndia(now) })
    if (tax.status !== 'unregistered') await setLineTax(trx, line, lineTax)
    taxedLines.push({ ...line, ...lineTax })
  }
  const facts = {
    tax_status: tax.status,
    supply_state: supplyState,
    seller: JSON.stringify(toSeller(settings)),
    delivery_tax: tax.status === 'regular' ? toDeliveryTax(order, taxedLines, isInterState) : null
  }
  return { facts, taxedLines }
}

function toDeliveryTax(
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

async function setLineTax(trx: Trx, { order_id, n }: OrderLineRow, tax: Partial<LineTaxRow>): Promise<void> {
  await trx.updateTable('order_lines').set(tax).where('order_id', '=', order_id).where('n', '=', n).execute()
}

function toSeller({ shop, legal }: Pick<Settings, 'shop' | 'legal'>): Seller {
  const { name, legalName, address, phone, email } = shop
  const { fssai, gstin } = legal
  return { name, legalName, address, phone, email, fssai, gstin }
}
