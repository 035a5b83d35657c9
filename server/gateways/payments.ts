import type { PaymentSettings } from '../payment-settings.ts'
import { createRequests, type RequestOptions } from './payment-requests.ts'
import {
  List,
  ProviderOrder,
  ProviderPayment,
  ProviderRefund,
  type OrderDraft,
  type PaymentWindow
} from './payment-objects.ts'

export { PaymentError } from './payment-requests.ts'
export type { OrderDraft, PaymentWindow, ProviderOrder, ProviderPayment, ProviderRefund } from './payment-objects.ts'

/** The payment provider. Every call throws PaymentError, and ends within seconds. */
export interface PaymentGateway {
  /** Not to be repeated when its answer is lost: `findOrder` tells whether it was done. */
  createOrder(draft: OrderDraft): Promise<ProviderOrder>
  /** The order that was made for a receipt, the first if there are several. */
  findOrder(receipt: string): Promise<ProviderOrder | undefined>
  fetchOrder(id: string): Promise<ProviderOrder>
  listOrderPayments(orderId: string): Promise<ProviderPayment[]>
  fetchPayment(id: string): Promise<ProviderPayment>
  /** The payments that were begun within a window of time, a page at a time. */
  listPayments(window: PaymentWindow): Promise<ProviderPayment[]>
  /** Collects what the bank has allowed. */
  capture(payment: Pick<ProviderPayment, 'id' | 'amount' | 'currency'>): Promise<ProviderPayment>
  /** Harmless to repeat with the same key and the same body. */
  refund(paymentId: string, key: string, body: string): Promise<ProviderRefund>
  fetchRefund(id: string): Promise<ProviderRefund>
  listRefunds(paymentId: string): Promise<ProviderRefund[]>
}

/** How many objects a page of the provider's has at most. */
export const PAGE = 100

// What the bank allows within 12 minutes is collected at once; later money waits for us, and goes back by itself after 5 days.
const CAPTURE = {
  capture: 'automatic',
  capture_options: { automatic_expiry_period: 12, manual_expiry_period: 7200, refund_speed: 'normal' }
} as const

/** Speaks Razorpay's protocol: with the provider, or with whatever else answers at the address of the settings. */
export function razorpay(settings: PaymentSettings, options: RequestOptions = {}): PaymentGateway {
  const { get, post } = createRequests(settings, options)
  const orders = List(ProviderOrder)
  const payments = List(ProviderPayment)
  const refunds = List(ProviderRefund)
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
      return (await get(`/payments?from=${since}&to=${until}&count=${PAGE}&skip=${skip}`, payments)).items
    },
    capture: ({ id, amount, currency }) =>
      post(`/payments/${encodeURIComponent(id)}/capture`, ProviderPayment, JSON.stringify({ amount, currency })),
    refund: (paymentId, key, body) =>
      post(`/payments/${encodeURIComponent(paymentId)}/refund`, ProviderRefund, body, { key }),
    fetchRefund: id => get(`/refunds/${encodeURIComponent(id)}`, ProviderRefund),
    listRefunds: async id => (await get(`/payments/${encodeURIComponent(id)}/refunds`, refunds)).items
  }
}
