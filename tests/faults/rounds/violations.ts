import { MINUTE, RESERVATION_TIME, SECOND } from '#lib/time.ts'
import type { Db } from '#server/platform/db/tables.ts'
import { violations } from '../../support/invariants.ts'
import { INITIAL_STOCK } from './seed.ts'
import type { Observations } from './buyer-calls.ts'
import type { TestEnvironment } from './environment.ts'
import type { ProviderRecords } from './provider.ts'

export async function findViolations(
  { servers, provider, store: { database } }: TestEnvironment,
  settledAt: number,
  observed: Observations
): Promise<string[]> {
  const records = provider.records()
  return [
    ...observed.violations,
    ...servers.flatMap(server => server.loggedErrors().map(line => `Server error: ${line}`)),
    ...(await violations(database, { initial: INITIAL_STOCK, provider: records, settledAt })),
    ...(await findWrongRevivals(database.kysely, records)),
    ...records.refunds
      .filter(({ id, receipt }) => records.idempotencyKeys.get(id) !== receipt)
      .map(refund => `I9 a refund has the key of another: ${JSON.stringify(refund)}`),
    ...(await findBrokenPromises(database.kysely, observed))
  ]
}

/**
 * A released order is revived only by a payment created before the promised end of the reservation,
 * plus a minute for differing clocks, and never after the shopper has cancelled it.
 */
async function findWrongRevivals(db: Db, { payments }: ProviderRecords): Promise<string[]> {
  const moves = db.selectFrom('stock_movements').select('order_id')
  const revived = await db
    .selectFrom('orders')
    .selectAll()
    .where('id', 'in', moves.where('reason', '=', 'revived'))
    .where('paid_payment_id', 'is not', null)
    .execute()
  return revived
    .filter(({ created_at, paid_payment_id, cancelled_by_shopper_at }) => {
      const payment = payments.find(({ id }) => id === paid_payment_id)
      const latest = Date.parse(created_at) + RESERVATION_TIME + MINUTE
      return !payment || payment.created_at * SECOND > latest || cancelled_by_shopper_at !== null
    })
    .map(order => `An order was revived: ${JSON.stringify(order)}`)
}

/** What the shop opened or confirmed for a buyer must still be known after crashes. */
async function findBrokenPromises(db: Db, { opened, confirmed }: Observations): Promise<string[]> {
  const orders = await db.selectFrom('orders').selectAll().execute()
  const byId = new Map(orders.map(order => [order.id, order]))
  // Checkouts that ended without a payment are deleted.
  const deleted = await db.selectFrom('deleted_checkouts').selectAll().execute()
  const found: string[] = []
  for (const [id, { buyer, providerOrder }] of opened) {
    const known =
      byId.get(id) ?? deleted.find(({ provider_order_id }) => provider_order_id === providerOrder)
    if (known?.user_id !== buyer || known.provider_order_id !== providerOrder)
      found.push(`Order ${id} was opened but is now ${JSON.stringify(known)}`)
  }
  for (const [id, payment] of confirmed) {
    const order = byId.get(id)
    const isPaid = /^(paid|refund_due|refunded)$/.test(order?.payment_state ?? '')
    if (!isPaid || order?.paid_payment_id !== payment)
      found.push(`Order ${id} was confirmed for ${payment} but is now ${JSON.stringify(order)}`)
  }
  return found
}
