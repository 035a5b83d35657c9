import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { DAY, HOUR, type EpochMs, type IsoTime, toIso } from '#lib/time.ts'
import { deleteCouponUses } from '../coupons/claims.ts'
import type { DeletedCheckoutRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { deleteOldLinks } from './link.ts'
import { RANKS } from './payment/transitions.ts'
import { addressOf } from './queries.ts'

/** Razorpay's dashboard can resend an event for two weeks. */
const EVENT_RETENTION = 30 * DAY
const TICK_RETENTION = 60 * DAY

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
    if (retention.state === 'expired') counts.push(await deleteUnitemised(trx, retention, cutoff))
  }
  return counts.includes(BATCH)
}

async function deleteOrders(trx: Trx, { state, keptFrom }: Retention, cutoff: IsoTime) {
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

async function deleteUnitemised(trx: Trx, { keptFrom }: Retention, cutoff: IsoTime) {
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
) {
  const rows = checkouts.flatMap(({ provider_order_id, ...row }) =>
    provider_order_id === null ? [] : [{ ...row, provider_order_id }]
  )
  if (rows.length === 0) return
  await trx.insertInto('deleted_checkouts').values(rows).execute()
  const ids = rows.map(({ provider_order_id }) => provider_order_id)
  const failed = trx.deleteFrom('payments').where('provider_order_id', 'in', ids)
  await failed.where('rank', '<', RANKS.authorized).execute()
}

export async function deleteExpiredOrderData(trx: Trx, now: EpochMs): Promise<void> {
  await trx
    .deleteFrom('webhook_events')
    .where('received_at', '<', toIso(now - EVENT_RETENTION))
    .where('next_at', 'is', null)
    .execute()
  await deleteOldLinks(trx, now)
  const oldTicks = toIso(now - TICK_RETENTION)
  await trx.deleteFrom('packed_lines').where('packed_at', '<', oldTicks).execute()
  await anonymiseOrders(trx, toIso(now))
}

const ANONYMISE_BATCH = 100
/** Couriers show name and address to everybody who knows the tracking number. */
const NO_WISHES = { note: '', event_at: null, gift: '' }
const NOTHING_PERSONAL = { ...NO_WISHES, tracking_number: null, tracking_link: null }
const ANONYMOUS_CUSTOMER = JSON.stringify({ name: '', email: '', phone: '' })

/** Amounts and place of supply stay, because tax law requires them. */
export async function anonymiseOrders(trx: Trx, now: IsoTime): Promise<void> {
  const orders = await trx
    .selectFrom('orders')
    .select(['id', 'address', 'payment_state', 'fulfilment_status'])
    .where(
      'user_id',
      'in',
      trx.selectFrom('users').select('users.id').where('deleted_at', 'is not', null)
    )
    .where('anonymised_at', 'is', null)
    .where(row =>
      row.or([
        row('payment_state', 'in', ['expired', 'cancelled', 'refunded']),
        row.and([row('payment_state', '=', 'paid'), row('fulfilment_status', '=', 'delivered')])
      ])
    )
    // The delivery mail waits while an administrator can undo the delivery.
    .where(
      sql<SqlBool>`not exists (select 1 from outbox
        where state = 'waiting' and id like 'order-%' || orders.id)`
    )
    .limit(ANONYMISE_BATCH)
    .execute()
  for (const order of orders) {
    const { state, country } = addressOf(order)
    const { numUpdatedRows } = await trx
      .updateTable('orders')
      .set({
        ...NOTHING_PERSONAL,
        customer: ANONYMOUS_CUSTOMER,
        address: JSON.stringify({ street: '', city: '', state, pincode: '', country }),
        anonymised_at: now
      })
      .where('id', '=', order.id)
      // It may just have become an order that is still to be delivered.
      .where('payment_state', '=', order.payment_state)
      .where('fulfilment_status', 'is not distinct from', order.fulfilment_status)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n)
      await trx.deleteFrom('order_links').where('order_id', '=', order.id).execute()
  }
}
