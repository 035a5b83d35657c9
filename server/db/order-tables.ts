import type { CategoryName } from '#lib/constants.ts'
import type { Paise } from '#lib/money.ts'

/** The tables of carts, orders and money. */
export interface OrderTables {
  carts: CartRow
  orders: OrderRow
  order_lines: OrderLineRow
  stock_movements: StockMovementRow
  unitemised_payments: UnitemisedPaymentRow
  payments: PaymentRow
  refunds: RefundRow
  webhook_events: WebhookEventRow
}

export interface CartRow {
  user_id: string
  /** A JSON array of `CartEntry`. */
  lines: string
  version: number
  updated_at: string
}

export const PAYMENT_STATES = ['awaiting', 'paid', 'expired', 'cancelled', 'refund_due', 'refunded'] as const
export type OrderPaymentState = (typeof PAYMENT_STATES)[number]
export type FulfilmentStatus = 'pending' | 'packed' | 'delivered' | 'cancelled'

export interface OrderRow {
  /** Also the provider's receipt, by which its order is found when an answer was lost. */
  id: string
  order_no: string
  user_id: string
  checkout_key: string
  /** A hash of what was asked for: the same key with something else is refused. */
  request_hash: string
  payment_state: OrderPaymentState
  /** Only of an order that was paid. */
  fulfilment_status: FulfilmentStatus | null
  currency: string
  total: Paise
  /** A JSON `CustomerDetails`. */
  customer: string
  /** A JSON `ShippingAddress`. */
  address: string
  delivery_date: string | null
  provider_order_id: string | null
  signature: string | null
  /** Until when goods and discounts are kept for an order that awaits its payment. */
  reserved_until: string
  /** Since when the provider knows of an attempt that has not ended. */
  attempted_at: string | null
  /** When the provider is to be asked by ourselves; nothing once there is nothing left to learn. */
  next_check_at: string | null
  paid_payment_id: string | null
  paid_at: string | null
  packed_at: string | null
  delivered_at: string | null
  /** When it expired or was cancelled. */
  ended_at: string | null
  /** India's financial year: '26-27'. */
  invoice_year: string | null
  invoice_no: number | null
  credit_year: string | null
  credit_no: number | null
  /** When what tells who the shopper was has been removed. */
  anonymised_at: string | null
  created_at: string
}

export interface OrderLineRow {
  order_id: string
  n: number
  product_id: string
  name: string
  category: CategoryName
  /** A JSON `Picture`. */
  picture: string | null
  pack_value: number
  pack_unit: string
  pack_type: string
  /** How many packs. */
  quantity: number
  list_price: Paise
  percent: number | null
  deal_id: string | null
  /** What one pack costs. */
  price: Paise
  total: Paise
}

/** What an order took from the stock and gave back: `stock` is what it was at first plus all of these. */
export interface StockMovementRow {
  order_id: string
  product_id: string
  seq: number
  delta: number
  reason: 'reserved' | 'expired' | 'cancelled' | 'revived'
  moved_at: string
}

/** A payment without an order: the specification's bare call. */
export interface UnitemisedPaymentRow {
  id: string
  user_id: string
  /** `refused`: whatever is paid for it goes back. */
  state: 'open' | 'used' | 'refused'
  total: Paise
  provider_order_id: string | null
  order_id: string | null
  next_check_at: string | null
  created_at: string
}

export type PaymentStatus = 'created' | 'failed' | 'authorized' | 'captured' | 'refunded'

/** What the provider said of a payment; its rank only rises, in whatever order the news arrives. */
export interface PaymentRow {
  id: string
  provider_order_id: string | null
  amount: Paise
  currency: string
  status: PaymentStatus
  rank: number
  method: string | null
  created_at: string
  updated_at: string
}

export type RefundReason = 'second_payment' | 'too_late' | 'mismatch' | 'unknown_order' | 'unclaimed' | 'cancelled'

export interface RefundRow {
  /** Also the provider's idempotency key. */
  id: string
  payment_id: string
  /** Rises with each new try of a refund that the provider has given up. */
  seq: number
  order_id: string | null
  amount: Paise
  reason: RefundReason
  state: 'due' | 'sent' | 'processed' | 'failed'
  /** What is sent, the same bytes at each attempt. */
  body: string
  provider_refund_id: string | null
  attempts: number
  next_at: string | null
  created_at: string
}

/** A notice of the provider's: a hint to ask, never an answer, so only what to ask about is kept. */
export interface WebhookEventRow {
  id: string
  type: string
  payment_id: string | null
  refund_id: string | null
  attempts: number
  /** Nothing once it is done with. */
  next_at: string | null
  received_at: string
}
