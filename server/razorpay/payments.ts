import type { PaymentSettings } from './payment-settings.ts'
import { createRequests, type RequestOptions } from './payment-requests.ts'
import {
  listOf,
  ProviderOrder,
  ProviderPayment,
  ProviderRefund,
  type OrderDraft,
  type PaymentPeriod
} from './payment-objects.ts'

export { PaymentError } from './payment-requests.ts'
export type { OrderDraft, ProviderOrder, ProviderPayment, ProviderRefund } from './payment-objects.ts'

/** Every call ends within seconds and may throw PaymentError. */
export interface PaymentGateway {
  /** Not idempotent. If the response is lost, call `findOrder` before the next attempt. */
  createOrder(draft: OrderDraft): Promise<ProviderOrder>
  findOrder(receipt: string): Promise<ProviderOrder | undefined>
  fetchOrder(id: string): Promise<ProviderOrder>
  listOrderPayments(orderId: string): Promise<ProviderPayment[]>
  fetchPayment(id: string): Promise<ProviderPayment>
  listPayments(period: PaymentPeriod): Promise<ProviderPayment[]>
  capture(payment: Pick<ProviderPayment, 'id' | 'amount' | 'currency'>): Promise<ProviderPayment>
  /** A second call with the same key and body refunds nothing. It returns the first refund. */
  refund(paymentId: string, key: string, body: string): Promise<ProviderRefund>
  fetchRefund(id: string): Promise<ProviderRefund>
  listRefunds(paymentId: string): Promise<ProviderRefund[]>
}

/** Maximum number of items in one answer of Razorpay. */
export const PAGE_SIZE = 100

// Times in minutes. A payment that is authorised in its first 12 minutes is captured automatically by Razorpay. A
// payment that is not captured within 7200 minutes (5 days) is refunded.
const CAPTURE = {
  capture: 'automatic',
  capture_options: { automatic_expiry_period: 12, manual_expiry_period: 7200, refund_speed: 'normal' }
} as const

export function createRazorpay(settings: PaymentSettings, options: RequestOptions = {}): PaymentGateway {
  const { get, post } = createRequests(settings, options)
  const orders = listOf(ProviderOrder)
  const payments = listOf(ProviderPayment)
  const refunds = listOf(ProviderRefund)
  return {
    createOrder: draft => post('/orders', ProviderOrder, JSON.stringify({ ...draft, payment: CAPTURE })),
    async findOrder(receipt) {
      const { items } = await get(`/orders?receipt=${encodeURIComponent(receipt)}&count=10`, orders)
      return items.toSorted((a, b) => a.created_at - b.created_at)[0]
    },
    fetchOrder: id => get(`/orders/${encodeURIComponent(id)}`, ProviderOrder),
    listOrderPayments: async id => (await get(`/orders/${encodeURIComponent(id)}/payments`, payments)).items,
    fetchPayment: id => get(`/payments/${encodeURIComponent(id)}`, ProviderPayment),
    async listPayments({ from, to, skip = 0 }) {
      const [since, until] = [Math.floor(from / 1000), Math.ceil(to / 1000)]
      return (await get(`/payments?from=${since}&to=${until}&count=${PAGE_SIZE}&skip=${skip}`, payments)).items
    },
    capture: ({ id, amount, currency }) =>
      post(`/payments/${encodeURIComponent(id)}/capture`, ProviderPayment, JSON.stringify({ amount, currency })),
    refund: (paymentId, key, body) =>
      post(`/payments/${encodeURIComponent(paymentId)}/refund`, ProviderRefund, body, { key }),
    fetchRefund: id => get(`/refunds/${encodeURIComponent(id)}`, ProviderRefund),
    listRefunds: async id => (await get(`/payments/${encodeURIComponent(id)}/refunds`, refunds)).items
  }
}
