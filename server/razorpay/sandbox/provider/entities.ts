/** Razorpay's objects, with the fields of its API. Amounts are in paise, times in Unix seconds. */

/** Razorpay sends an empty array if there are no notes. */
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

export interface CaptureRule {
  automatic: boolean
  /** A payment is captured automatically if it is authorised within this number of minutes after its creation. */
  automaticExpiry: number
  /** A payment is refunded if it is not captured within this number of minutes after its creation. */
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

export const DECLINED_BY_BANK: PaymentError = {
  error_code: 'BAD_REQUEST_ERROR',
  error_description: "Your payment didn't go through as it was declined by the bank. Try another payment method.",
  error_source: 'bank',
  error_step: 'payment_authorization',
  error_reason: 'payment_failed'
}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const ID_LENGTH = 14

export function createId(prefix: 'order' | 'pay' | 'rfnd' | 'evt', random: () => number): string {
  const letters = Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[Math.floor(random() * ID_ALPHABET.length)])
  return `${prefix}_${letters.join('')}`
}

export function toCollection<Item>(items: Item[]): Collection<Item> {
  return { entity: 'collection', count: items.length, items }
}
