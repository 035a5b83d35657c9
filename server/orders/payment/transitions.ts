import { sql } from 'kysely'
import type { FulfilmentStatus } from '#lib/contract/names.ts'
import { toPaise } from '#lib/money.ts'
import { MINUTE, RESERVATION_TIME, SECOND, type EpochMs, type IsoTime, toIso } from '#lib/time.ts'
import type {
  OrderRow,
  ProviderStatus,
  UnitemisedPaymentRow
} from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import type { ProviderPayment } from '../../razorpay/client.ts'
import { hasFulfilmentStatus } from '../queries.ts'

// Each is one conditional UPDATE, and returns undefined if the order had another state.

type PaymentFields = Pick<OrderRow, 'paid_payment_id' | 'paid_at' | 'signature'>

const NO_RESERVATION = { network: null, attempted_at: null, next_check_at: null } as const
export const PAID = {
  ...NO_RESERVATION,
  payment_state: 'paid',
  fulfilment_status: 'pending',
  ended_at: null
} as const

export function markPaid(
  trx: Trx,
  payment: ProviderPayment,
  paid: PaymentFields
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ ...paid, ...PAID })
    .where('provider_order_id', '=', payment.order_id ?? '')
    .where('total', '=', toPaise(payment.amount))
    .where('currency', '=', payment.currency)
    .where('payment_state', '=', 'awaiting')
    .where('created_at', '>=', toEarliestOpening(payment))
    .returningAll()
    .executeTakeFirst()
}

export function markFree(trx: Trx, id: string, now: IsoTime): Promise<OrderRow | undefined> {
  return updateOrder(trx, id, { ...PAID, paid_at: now })
    .where('payment_state', '=', 'awaiting')
    .where('total', '=', toPaise(0))
    .executeTakeFirst()
}

const CLOCK_TOLERANCE = MINUTE

/** A later payment would be at outdated prices. */
function toEarliestOpening({ created_at }: ProviderPayment) {
  return toIso(created_at * SECOND - RESERVATION_TIME - CLOCK_TOLERANCE)
}

export function isTooLate(
  { created_at }: Pick<OrderRow, 'created_at'>,
  payment: ProviderPayment
): boolean {
  return created_at < toEarliestOpening(payment)
}

export function revive(
  trx: Trx,
  id: string,
  changes: Partial<OrderRow>,
  payment: ProviderPayment
): Promise<OrderRow | undefined> {
  return (
    updateOrder(trx, id, changes)
      .where('payment_state', 'in', ['expired', 'cancelled'])
      .where('fulfilment_status', 'is', null)
      .where('created_at', '>=', toEarliestOpening(payment))
      .where('cancelled_by_shopper_at', 'is', null)
      // An anonymised order has no delivery address.
      .where('anonymised_at', 'is', null)
      .executeTakeFirst()
  )
}

/** `cancelled`: by the shopper. `replaced`: by another checkout. `refused`: by the provider. */
export type ReleaseReason = 'expired' | 'cancelled' | 'replaced' | 'refused'

/** For `expired`, checks the end again, because it may just have been extended. */
export function endReservation(
  trx: Trx,
  id: string,
  reason: ReleaseReason,
  now: IsoTime
): Promise<OrderRow | undefined> {
  const ended = {
    payment_state: reason === 'expired' ? 'expired' : 'cancelled',
    cancelled_by_shopper_at: reason === 'cancelled' ? now : null,
    ended_at: now,
    ...NO_RESERVATION
  } as const
  const query = updateOrder(trx, id, ended).where('payment_state', '=', 'awaiting')
  return (
    reason === 'expired' ? query.where('reserved_until', '<=', now) : query
  ).executeTakeFirst()
}

/** For an expired or cancelled order, or for an awaiting one if this payment is too late. */
export function markRefundDue(
  trx: Trx,
  { id, payment_state, ended_at }: Pick<OrderRow, 'id' | 'payment_state' | 'ended_at'>,
  payment: ProviderPayment,
  now: IsoTime
): Promise<OrderRow | undefined> {
  const ended = {
    ...NO_RESERVATION,
    ended_at: ended_at ?? now,
    payment_state: 'refund_due'
  } as const
  const query = updateOrder(trx, id, ended)
    .where('payment_state', '=', payment_state)
    .where('payment_state', 'in', ['awaiting', 'expired', 'cancelled'])
    .where('fulfilment_status', 'is', null)
  const isOpen = payment_state === 'awaiting'
  return (
    isOpen ? query.where('created_at', '<', toEarliestOpening(payment)) : query
  ).executeTakeFirst()
}

/** Never shortens it. */
export function setReservedUntil(
  trx: Trx,
  id: string,
  reservedUntil: IsoTime,
  changes: Partial<Pick<OrderRow, 'attempted_at' | 'next_check_at'>>
): Promise<OrderRow | undefined> {
  const later = sql<string>`case when reserved_until < ${reservedUntil}
    then ${reservedUntil} else reserved_until end`
  return updateOrder(trx, id, changes)
    .set({ reserved_until: later })
    .where('payment_state', '=', 'awaiting')
    .executeTakeFirst()
}

export function updateAtStatus(
  trx: Trx,
  id: string,
  from: FulfilmentStatus,
  changes: Partial<OrderRow>
): Promise<OrderRow | undefined> {
  return updateOrder(trx, id, changes)
    .where('payment_state', '=', 'paid')
    .where(row => hasFulfilmentStatus(row, from))
    .where('anonymised_at', 'is', null)
    .executeTakeFirst()
}

export function updateOrder(trx: Trx, id: string, changes: Partial<OrderRow>) {
  return trx.updateTable('orders').set(changes).where('id', '=', id).returningAll()
}

export const RANKS = {
  created: 0,
  failed: 1,
  authorized: 2,
  captured: 3,
  refunded: 4
} as const satisfies Record<ProviderStatus, number>

/** Leaves out contact and card data. The rank of the stored status never decreases. */
export async function upsertPayment(
  trx: Trx,
  payment: ProviderPayment,
  now: EpochMs
): Promise<void> {
  const values = {
    id: payment.id,
    provider_order_id: payment.order_id ?? null,
    amount: toPaise(payment.amount),
    currency: payment.currency,
    status: payment.status,
    rank: RANKS[payment.status],
    method: payment.method ?? null,
    created_at: toIso(payment.created_at * SECOND),
    updated_at: toIso(now)
  }
  await trx
    .insertInto('payments')
    .values(values)
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet({
        status: sql`case when payments.rank < excluded.rank
          then excluded.status else payments.status end`,
        rank: sql`case when payments.rank < excluded.rank
          then excluded.rank else payments.rank end`,
        updated_at: values.updated_at
      })
    )
    .execute()
}

export async function listSettledIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('id', 'in', ids)
    .where('rank', '>=', RANKS.captured)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** It gets either an order or a refund. */
export function lockUnitemised(
  trx: Trx,
  providerOrderId: string
): Promise<UnitemisedPaymentRow | undefined> {
  return trx
    .updateTable('unitemised_payments')
    .set(row => ({ state: row.ref('state') }))
    .where('provider_order_id', '=', providerOrderId)
    .returningAll()
    .executeTakeFirst()
}
