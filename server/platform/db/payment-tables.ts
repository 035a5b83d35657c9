import type { Paise } from '#lib/money.ts'

export interface PaymentTables {
  unitemised_payments: UnitemisedPaymentRow
  deleted_checkouts: DeletedCheckoutRow
  payments: PaymentRow
  refunds: RefundRow
  reversals: ReversalRow
  payment_reversals: Omit<ReversalRow, 'order_id' | 'acknowledged_at'>
  webhook_events: WebhookEventRow
  unmatched_payments: UnmatchedPaymentRow
}

/** A payment that was created without a list of items. The specification allows such payments. */
export interface UnitemisedPaymentRow {
  id: string
  user_id: string
  state: 'open' | 'used' | 'refused'
  total: Paise
  provider_order_id: string | null
  order_id: string | null
  next_check_at: string | null
  created_at: string
}

export interface DeletedCheckoutRow {
  provider_order_id: string
  user_id: string
  /** Null if the row is older than these columns, or reserved nothing. */
  reserved_from: string | null
  reserved_until: string | null
}

export type ProviderStatus = 'created' | 'failed' | 'authorized' | 'captured' | 'refunded'

/** `rank` only increases, so that a late webhook cannot restore an older status. */
export interface PaymentRow {
  id: string
  provider_order_id: string | null
  amount: Paise
  currency: string
  status: ProviderStatus
  rank: number
  method: string | null
  created_at: string
  updated_at: string
}

export type RefundReason =
  | 'second_payment'
  | 'too_late'
  | 'mismatch'
  | 'unknown_order'
  | 'unclaimed'
  | 'cancelled'
  | 'changed'

export interface RefundRow {
  /** Also sent to the provider as the idempotency key. */
  id: string
  payment_id: string
  /** Numbers the refunds of a payment from 1. */
  seq: number
  /** Number of the change, or 0 for all that is left. Kept by the refund after a failed one. */
  part: number
  order_id: string | null
  amount: Paise
  reason: RefundReason
  /** Without a refund of the provider: `processed` by hand, or `failed` because withdrawn. */
  state: 'due' | 'sent' | 'processed' | 'failed'
  /** Each attempt with the same idempotency key must send the same bytes. */
  body: string
  provider_refund_id: string | null
  attempts: number
  next_at: string | null
  created_at: string
}

/** A captured payment whose order is missing, for example after a restore. */
interface UnmatchedPaymentRow {
  payment_id: string
  order_no: string | null
  found_at: string
  decision: 'refund' | 'keep' | null
}

/** Made at the provider, not by the shop. `payment_reversals`: without an order. */
export interface ReversalRow {
  id: string
  order_id: string
  payment_id: string
  kind: 'refund' | 'dispute'
  amount: Paise
  /** `returned`: the payer has the money. `void`: refund failed, dispute won or closed. */
  state: 'pending' | 'returned' | 'void'
  /** Set if an administrator lets the order continue. */
  acknowledged_at: string | null
  created_at: string
}

/** Only ids: the shop fetches the rest from the provider. */
export interface WebhookEventRow {
  id: string
  type: string
  payment_id: string | null
  refund_id: string | null
  dispute_id: string | null
  attempts: number
  next_at: string | null
  received_at: string
}
