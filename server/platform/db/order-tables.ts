import type { Generated, Selectable } from 'kysely'
import type { Language } from '#lib/constants.ts'
import type { DeliveryMethod, TaxStatus } from '#lib/contract/names.ts'
import type { Paise } from '#lib/money.ts'
import type { BasisPoints } from '#lib/tax/taxes.ts'

export interface OrderTables {
  carts: CartRow
  orders: OrderColumns
  order_lines: OrderLineRow
  order_links: { order_id: string; seed: string; token_hash: string; created_at: string }
  delivery_days: DeliveryDayRow
  packed_lines: PackedLineRow
  order_changes: OrderChangeRow
  removed_lines: RemovedLineRow
  credit_lines: CreditLineRow
  stock_movements: StockMovementRow
  unitemised_payments: UnitemisedPaymentRow
  deleted_checkouts: DeletedCheckoutRow
  /** Created with keys that the owner has saved. All others have those of `Payments.settings`. */
  provider_orders: { id: string; key_id: string }
  payments: PaymentRow
  refunds: RefundRow
  reversals: ReversalRow
  payment_reversals: Omit<ReversalRow, 'order_id' | 'acknowledged_at'>
  webhook_events: WebhookEventRow
  unmatched_payments: UnmatchedPaymentRow
}

export interface CartRow {
  user_id: string
  lines: string
  version: number
  updated_at: string
}

export type OrderPaymentState =
  | 'awaiting'
  | 'paid'
  | 'expired'
  | 'cancelled'
  | 'refund_due'
  | 'refunded'

export type OrderRow = Selectable<OrderColumns>

interface OrderColumns {
  /** The provider's `receipt`, by which a lost provider order is found. */
  id: string
  order_no: string
  user_id: string
  /** Of the page on which it was placed. */
  language: Generated<Language>
  /** Network of an unverified account, until the reservation ends. */
  network: string | null
  checkout_key: string
  /** A request with the same checkout key but another hash is rejected. */
  request_hash: string
  payment_state: OrderPaymentState
  fulfilment_status: 'pending' | 'packed' | 'delivered' | 'cancelled' | null
  currency: string
  /** As paid, less the credit notes of changes. A cancellation credits the rest. */
  total: Paise
  changes: Generated<number>
  customer: string
  address: string
  delivery_date: string | null
  provider_order_id: string | null
  signature: string | null
  reserved_until: string
  /** When the shop first saw a payment in progress; null if none is. */
  attempted_at: string | null
  /** Null if the payment is final. */
  next_check_at: string | null
  paid_payment_id: string | null
  paid_at: string | null
  packed_at: string | null
  delivered_at: string | null
  ended_at: string | null
  /** Before the order was paid. A later payment does not revive it. */
  cancelled_by_shopper_at: string | null
  invoice_year: string | null
  invoice_no: number | null
  credit_year: string | null
  credit_no: number | null
  /** Like `seller`, null until the invoice is issued, and in older orders. */
  tax_status: TaxStatus | null
  /** GST code such as '33'. Also null if the address names no known state. */
  supply_state: string | null
  seller: string | null
  anonymised_at: string | null
  /** 'test' if no money moves. Null in orders that are older than this column. */
  payment_mode: 'test' | 'live' | null
  coupon_id: string | null
  coupon_code: string | null
  delivery_fee: Generated<Paise>
  /** JSON. Null until the invoice is issued, or if the fee is not taxed. */
  delivery_tax: string | null
  /** Null in orders that are older than the shop's delivery settings. */
  delivery_method: DeliveryMethod | null
  delivery_zone: string | null
  kitchen_units: Generated<number>
  /** For a courier, some days before the delivery. Null in old orders. */
  kitchen_day: string | null
  /** 1 while the order counts in `delivery_days`, otherwise 0. */
  holds_place: Generated<number>
  /** The delivery date before its day filled up or closed while the payment was open. */
  moved_from: string | null
  note: Generated<string>
  /** In India, such as '2026-12-24T18:30'. */
  event_at: string | null
  /** JSON. Empty if it is none. */
  gift: Generated<string>
  /** Given to the courier, or ready for pickup. */
  dispatched_at: string | null
  courier: string | null
  tracking_number: string | null
  tracking_link: string | null
  created_at: string
}

/** Places that orders have taken on a day such as '2026-11-24'. A day without a row is empty. */
interface DeliveryDayRow {
  day: string
  orders: number
  units: number
}

interface PackedLineRow {
  order_id: string
  n: number
  quantity: number
  packed_at: string
}

export interface OrderLineRow extends LineTaxRow {
  order_id: string
  n: number
  product_id: string
  name: string
  /** In the language of the order. Empty in orders that are older than this column. */
  local_name: string
  category: string
  picture: string | null
  pack_value: number
  pack_unit: string
  pack_type: string
  quantity: number
  list_price: Paise
  percent: number | null
  deal_id: string | null
  price: Paise
  coupon_discount: Paise
  total: Paise
}

/** Taxes as the invoice shows them. Null until the invoice is issued, and in older orders. */
export interface LineTaxRow {
  hsn: string | null
  /** Null, like the amounts below, unless the invoice is a tax invoice. */
  tax_rate: BasisPoints | null
  taxable: Paise | null
  cgst: Paise | null
  sgst: Paise | null
  igst: Paise | null
}

export type NewOrderLine = Omit<OrderLineRow, keyof LineTaxRow>

export interface OrderChangeRow {
  order_id: string
  seq: number
  changed_at: string
  credit_year: string | null
  credit_no: number | null
  credited: Paise
  /** Less than `credited` if money had already gone back at the provider. */
  refunded: Paise
  /** JSON of `ChangedDetails`, without the person's data. */
  details: string
}

/** Credited without taking packs off the order. Negative if that lowers an earlier credit. */
export interface CreditLineRow
  extends Omit<LineTaxRow, 'hsn'>, Pick<OrderChangeRow, 'order_id' | 'seq'> {
  /** Of the order's line. Below 1: of the delivery fee, one for each tax rate. */
  n: number
  /** Refunded packs, or 0 if an amount is refunded. */
  quantity: number
  total: Paise
}

export type RemovedLineRow = OrderLineRow & Pick<OrderChangeRow, 'seq'>

/** By orders. Changes by administrators are only in the audit log. */
export interface StockMovementRow {
  order_id: string
  product_id: string
  seq: number
  delta: number
  reason: 'reserved' | 'expired' | 'cancelled' | 'replaced' | 'refused' | 'revived' | 'changed'
  moved_at: string
}

/** Created without items, as the specification allows. */
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
interface PaymentRow {
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
  acknowledged_at: string | null
  created_at: string
}

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
