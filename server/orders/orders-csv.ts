import { stringify } from 'csv-stringify/sync'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { toAddressLines } from '#lib/address.ts'
import { PAYMENT_LABELS, STATUS_LABELS } from '#lib/order-status.ts'
import { formatPack } from '#lib/pack.ts'
import { toDayInIndia } from '#lib/time.ts'
import { escapeFormula } from '../catalog/write-table.ts'

const COLUMNS: Record<string, (order: AdminOrder) => string> = {
  Order: ({ orderNumber }) => orderNumber,
  'Ordered on': ({ createdAt }) => toDayInIndia(Date.parse(createdAt)),
  Status: ({ status }) => STATUS_LABELS[status],
  'Delivery date': ({ deliveryDate }) => deliveryDate ?? '',
  Name: ({ customerDetails }) => customerDetails.name,
  Phone: ({ customerDetails }) => customerDetails.phone,
  'E-mail': ({ customerDetails }) => customerDetails.email,
  Address: ({ shippingAddress }) => toAddressLines(shippingAddress).join(', '),
  City: ({ shippingAddress }) => shippingAddress.city,
  State: ({ shippingAddress }) => shippingAddress.state,
  Pincode: ({ shippingAddress }) => shippingAddress.pincode,
  Products: ({ items }) => items.map(itemText).join('; '),
  Packs: ({ items }) => String(items.reduce((sum, { quantity }) => sum + quantity, 0)),
  'Total (₹)': ({ totalAmount }) => totalAmount.toFixed(2),
  Payment: ({ paymentStatus }) => PAYMENT_LABELS[paymentStatus],
  Invoice: ({ invoiceNumber }) => invoiceNumber ?? '',
  'Credit note': ({ creditNoteNumber }) => creditNoteNumber ?? '',
  'Payment id': ({ razorpay_payment_id }) => razorpay_payment_id ?? ''
}

export function writeOrders(orders: readonly AdminOrder[]): string {
  const lines = orders.map(order => Object.values(COLUMNS).map(format => escapeFormula(format(order))))
  return stringify([Object.keys(COLUMNS), ...lines], {
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/
  })
}

function itemText({ product, quantity, packSize }: AdminOrder['items'][number]): string {
  return `${quantity} × ${product.name}${packSize ? ` (${formatPack(packSize)})` : ''}`
}
