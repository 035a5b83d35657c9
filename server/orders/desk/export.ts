import { toAddressLines } from '#lib/account/address.ts'
import type { AdminOrder } from '#lib/contract/orders.ts'
import {
  formatItem,
  listCreditNotes,
  METHOD_LABELS,
  STATUS_LABELS,
  toPaymentLabel
} from '#lib/order.ts'
import { toDayInIndia } from '#lib/time.ts'
import { writeCsv } from '../../catalog/product-table.ts'

const COLUMNS: Record<string, (order: AdminOrder) => string> = {
  Order: ({ orderNumber }) => orderNumber,
  'Ordered on': ({ createdAt }) => toDayInIndia(Date.parse(createdAt)),
  Status: ({ status }) => STATUS_LABELS[status],
  'Delivery date': ({ deliveryDate }) => deliveryDate ?? '',
  Name: ({ customerDetails }) => customerDetails.name,
  Phone: ({ customerDetails }) => customerDetails.phone,
  Email: ({ customerDetails }) => customerDetails.email,
  Address: ({ shippingAddress }) => toAddressLines(shippingAddress).join(', '),
  City: ({ shippingAddress }) => shippingAddress.city,
  State: ({ shippingAddress }) => shippingAddress.state,
  Pincode: ({ shippingAddress }) => shippingAddress.pincode,
  Products: ({ items }) => items.map(formatItem).join('; '),
  Packs: ({ items }) => String(items.reduce((sum, { quantity }) => sum + quantity, 0)),
  Coupon: ({ coupon }) => coupon?.code ?? '',
  'Coupon discount (₹)': ({ coupon }) => coupon?.discount.toFixed(2) ?? '',
  'Total (₹)': ({ totalAmount }) => totalAmount.toFixed(2),
  Payment: toPaymentLabel,
  Invoice: ({ invoiceNumber }) => invoiceNumber ?? '',
  'Credit note': order => listCreditNotes(order).join('; '),
  'Payment id': ({ razorpay_payment_id }) => razorpay_payment_id ?? '',
  Delivery: ({ deliveryMethod }) => (deliveryMethod ? METHOD_LABELS[deliveryMethod] : ''),
  Courier: ({ shipment }) => shipment?.courier ?? '',
  'Tracking number': ({ shipment }) => shipment?.trackingNumber ?? '',
  Event: ({ eventAt }) => eventAt?.replace('T', ' ') ?? '',
  Note: ({ note }) => note ?? '',
  'Delivery fee (₹)': ({ deliveryFee }) => deliveryFee?.toFixed(2) ?? ''
}

export function writeOrders(orders: readonly AdminOrder[]): string {
  return writeCsv([
    Object.keys(COLUMNS),
    ...orders.map(order => Object.values(COLUMNS).map(format => format(order)))
  ])
}
