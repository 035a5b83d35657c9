/** The provider's objects, field by field as they go over the wire. Amounts are paise, times are Unix seconds. */

/** An empty array when there are none. */
export type Notes = Record<string, string> | []

export interface Order {
  id: string
  entity: 'order'
  amount: number
  amount_paid: number
  amount_due: number
  currency: string
  receipt: string | null
  offer_id: null
  status: 'created' | 'attempted' | 'paid'
  attempts: number
  notes: Notes
  created_at: number
}

export interface PaymentError {
  error_code: string | null
  error_description: string | null
  error_source: string | null
  error_step: string | null
  error_reason: string | null
}

export interface Payment extends PaymentError {
  id: string
  entity: 'payment'
  amount: number
  currency: string
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed'
  order_id: string
  invoice_id: null
  international: boolean
  method: string
  amount_refunded: number
  refund_status: 'partial' | 'full' | null
  captured: boolean
  description: string | null
  card_id: null
  bank: null
  wallet: null
  vpa: string
  email: string
  contact: string
  notes: Notes
  fee: number | null
  tax: number | null
  acquirer_data: { rrn: string | null }
  created_at: number
  upi: { vpa: string; flow: string }
}

export interface Refund {
  id: string
  entity: 'refund'
  amount: number
  currency: string
  payment_id: string
  notes: Notes
  receipt: string | null
  acquirer_data: { arn: string | null }
  created_at: number
  batch_id: null
  status: 'pending' | 'processed' | 'failed'
  speed_processed: 'normal'
  speed_requested: 'normal'
}

export interface Collection<Item> {
  entity: 'collection'
  count: number
  items: Item[]
}

/** When a payment that the bank allows is collected by the provider itself. */
export interface CaptureRule {
  automatic: boolean
  /** Minutes from the payment's creation in which it is. */
  automaticExpiry: number
  /** Minutes after which money that nobody collected goes back. */
  manualExpiry: number
}

export type EventName =
  | 'payment.authorized'
  | 'payment.captured'
  | 'payment.failed'
  | 'order.paid'
  | 'refund.created'
  | 'refund.processed'
  | 'refund.failed'

export const NO_ERROR: PaymentError = {
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null
}

export const REFUSED_BY_BANK: PaymentError = {
  error_code: 'BAD_REQUEST_ERROR',
  error_description: "Your payment didn't go through as it was declined by the bank. Try another payment method.",
  error_source: 'bank',
  error_step: 'payment_authorization',
  error_reason: 'payment_failed'
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const ID_LETTERS = 14

export function newId(prefix: 'order' | 'pay' | 'rfnd' | 'evt', random: () => number): string {
  const letters = Array.from({ length: ID_LETTERS }, () => LETTERS[Math.floor(random() * LETTERS.length)])
  return `${prefix}_${letters.join('')}`
}

export function collection<Item>(items: Item[]): Collection<Item> {
  return { entity: 'collection', count: items.length, items }
}
