import { toPaise } from '#lib/money.ts'
import { type EpochMs, type IsoTime, SECOND, DAY, HOUR } from '#lib/time.ts'
import type {
  ProviderStatus,
  UnitemisedPaymentRow,
  DeletedCheckoutRow
} from '../../platform/db/payment-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { toIso } from '../../platform/process/clock.ts'
import type { ProviderPayment } from '../../razorpay/client.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { deleteCouponUses } from '../../coupons/claims.ts'

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
      conflict.column('id').doUpdateSet(row => {
        const isHigher = row('payments.rank', '<', row.ref('excluded.rank'))
        return {
          status: row
            .case()
            .when(isHigher)
            .then(row.ref('excluded.status'))
            .else(row.ref('payments.status'))
            .end(),
          rank: row
            .case()
            .when(isHigher)
            .then(row.ref('excluded.rank'))
            .else(row.ref('payments.rank'))
            .end(),
          updated_at: row.ref('excluded.updated_at')
        }
      })
    )
    .execute()
}

/** Captured and refunded payments, including unitemised ones. */
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

/** An order may have 50 lines. */
const BATCH = 50
/** Cancelled checkouts are deleted first, because an account can open many in an hour. */
const RETENTION = [
  { state: 'cancelled', age: HOUR, keptFrom: 'created' },
  { state: 'expired', age: 7 * DAY, keptFrom: 'created' },
  { state: 'cancelled', age: 30 * DAY, keptFrom: 'authorized' },
  { state: 'expired', age: 30 * DAY, keptFrom: 'authorized' }
] as const
type Retention = (typeof RETENTION)[number]

/** Keeps the ids of their provider orders. Returns true if there may be more. */
export async function deleteUnpaidCheckouts(trx: Trx, now: EpochMs): Promise<boolean> {
  const counts: number[] = []
  for (const retention of RETENTION) {
    const cutoff = toIso(now - retention.age)
    counts.push(await deleteOrders(trx, retention, cutoff))
    // Unitemised payments are never cancelled.
    if (retention.state === 'expired') counts.push(await deleteUnitemised(trx, retention, cutoff))
  }
  return counts.includes(BATCH)
}

async function deleteOrders(
  trx: Trx,
  { state, keptFrom }: Retention,
  cutoff: IsoTime
): Promise<number> {
  // Locks the orders, so that none is deleted while a payment of it is settled.
  const orders = await trx
    .updateTable('orders')
    .set(row => ({ ended_at: row.ref('ended_at') }))
    .where('payment_state', '=', state)
    .where('id', 'in', outer =>
      outer
        .selectFrom('orders as o')
        .select('o.id')
        .where('o.paid_at', 'is', null)
        .where('o.payment_state', '=', state)
        .where('o.ended_at', '<', cutoff)
        .where(hasNoPayment(sql`o.provider_order_id`, keptFrom))
        .where(sql<SqlBool>`not exists (select 1 from unitemised_payments where order_id = o.id)`)
        .orderBy('o.ended_at')
        .limit(BATCH)
    )
    .returning(['id', 'user_id', 'provider_order_id', 'created_at', 'reserved_until', 'ended_at'])
    .execute()
  const ids = orders.map(({ id }) => id)
  if (ids.length === 0) return 0
  await deleteCouponUses(trx, ids)
  await trx.deleteFrom('stock_movements').where('order_id', 'in', ids).execute()
  await trx.deleteFrom('order_lines').where('order_id', 'in', ids).execute()
  await trx.deleteFrom('orders').where('id', 'in', ids).execute()
  const rows = orders.map(
    ({ user_id, provider_order_id, created_at, reserved_until, ended_at }) => {
      const until = ended_at !== null && ended_at < reserved_until ? ended_at : reserved_until
      return { user_id, provider_order_id, reserved_from: created_at, reserved_until: until }
    }
  )
  await keepProviderOrders(trx, rows)
  return ids.length
}

async function deleteUnitemised(
  trx: Trx,
  { keptFrom }: Retention,
  cutoff: IsoTime
): Promise<number> {
  const deleted = await trx
    .deleteFrom('unitemised_payments')
    .where('id', 'in', outer =>
      outer
        .selectFrom('unitemised_payments as u')
        .select('u.id')
        // A literal, because with a parameter the database would not use the partial index.
        .where('u.state', '=', sql.lit('refused'))
        .where('u.next_check_at', 'is', null)
        .where('u.created_at', '<', cutoff)
        .where(hasNoPayment(sql`u.provider_order_id`, keptFrom))
        .orderBy('u.created_at')
        .limit(BATCH)
    )
    .returning(['user_id', 'provider_order_id'])
    .execute()
  const rows = deleted.map(row => ({ ...row, reserved_from: null, reserved_until: null }))
  await keepProviderOrders(trx, rows)
  return deleted.length
}

function hasNoPayment(
  providerOrderId: RawBuilder<unknown>,
  keptFrom: Retention['keptFrom']
): RawBuilder<SqlBool> {
  const rank = RANKS[keptFrom]
  return sql`not exists (select 1 from payments
    where provider_order_id = ${providerOrderId} and rank >= ${rank})`
}

async function keepProviderOrders(
  trx: Trx,
  checkouts: readonly (Omit<DeletedCheckoutRow, 'provider_order_id'> & {
    provider_order_id: string | null
  })[]
): Promise<void> {
  const rows = checkouts.flatMap(({ provider_order_id, ...row }) =>
    provider_order_id === null ? [] : [{ ...row, provider_order_id }]
  )
  if (rows.length === 0) return
  await trx.insertInto('deleted_checkouts').values(rows).execute()
  const ids = rows.map(({ provider_order_id }) => provider_order_id)
  const failed = trx.deleteFrom('payments').where('provider_order_id', 'in', ids)
  await failed.where('rank', '<', RANKS.authorized).execute()
}

export function findDeletedCheckout(
  db: Db,
  providerOrderId: string
): Promise<DeletedCheckoutRow | undefined> {
  return db
    .selectFrom('deleted_checkouts')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .executeTakeFirst()
}
