import { MINUTE, RESERVATION_TIME, SECOND } from '#lib/time.ts'
import type { Database } from '#server/platform/db/connect.ts'
import { violations, type ProviderState } from '../../support/invariants.ts'
import { INITIAL_STOCK } from './seed.ts'
import type { ProviderRecords } from './provider.ts'
import type { Observations } from './buyer-calls.ts'
import type { TestEnvironment } from './environment.ts'

export async function findViolations(
  env: TestEnvironment,
  database: Database,
  settledAt: number,
  observed: Observations
): Promise<string[]> {
  const records = env.provider.records()
  const orders = await readOrders(database)
  return [
    ...observed.violations,
    ...env.servers.flatMap(server => server.loggedErrors().map(line => `Server error: ${line}`)),
    ...(await violations(database, { initial: INITIAL_STOCK, provider: records, settledAt })),
    ...(await revivalViolations(database, records)),
    ...refundKeyViolations(records),
    ...replyViolations(observed, orders, await readDeletedCheckouts(database))
  ]
}

type OrderState = Awaited<ReturnType<typeof readOrders>>[number]

function readOrders({ kysely }: Database): Promise<
  {
    id: string
    user_id: string
    payment_state: string
    paid_payment_id: string | null
    provider_order_id: string | null
  }[]
> {
  return kysely
    .selectFrom('orders')
    .select(['id', 'user_id', 'payment_state', 'paid_payment_id', 'provider_order_id'])
    .execute()
}

/**
 * A released order is revived only by a payment created before the promised end of the reservation,
 * plus a minute for differing clocks, and never after the shopper has cancelled it.
 */
async function revivalViolations(
  { kysely }: Database,
  { payments }: ProviderState
): Promise<string[]> {
  const revived = await kysely
    .selectFrom('orders')
    .innerJoin('stock_movements', 'stock_movements.order_id', 'orders.id')
    .select(['orders.id', 'orders.created_at', 'paid_payment_id', 'cancelled_by_shopper_at'])
    .distinct()
    .where('stock_movements.reason', '=', 'revived')
    .where('paid_payment_id', 'is not', null)
    .execute()
  return revived.flatMap(({ id, created_at, paid_payment_id, cancelled_by_shopper_at }) => {
    const payment = payments.find(each => each.id === paid_payment_id)
    const latest = Date.parse(created_at) + RESERVATION_TIME + MINUTE
    const isAllowed =
      payment && payment.created_at * SECOND <= latest && cancelled_by_shopper_at === null
    return isAllowed
      ? []
      : [`Order ${id} of ${created_at} was revived by ${JSON.stringify(payment)}`]
  })
}

/** I9: each refund is requested with its own idempotency key. */
function refundKeyViolations({ refunds, idempotencyKeys }: ProviderRecords): string[] {
  return refunds.flatMap(({ id, receipt }) =>
    idempotencyKeys.get(id) === receipt
      ? []
      : [`I9 refund ${id} was requested with key ${idempotencyKeys.get(id)}, expected ${receipt}`]
  )
}

type DeletedCheckouts = ReadonlyMap<string, string>

/** The buyers of checkouts that ended without a payment and were deleted, by provider order. */
async function readDeletedCheckouts({ kysely }: Database): Promise<DeletedCheckouts> {
  const rows = await kysely.selectFrom('deleted_checkouts').selectAll().execute()
  return new Map(rows.map(row => [row.provider_order_id, row.user_id]))
}

/** What the shop opened or confirmed for a buyer must still be known after crashes. */
function replyViolations(
  { confirmed, opened }: Observations,
  orders: OrderState[],
  deleted: DeletedCheckouts
): string[] {
  const byId = new Map(orders.map(order => [order.id, order]))
  const openedViolations = [...opened].flatMap(([id, { buyer, providerOrder }]) => {
    const order = byId.get(id)
    const isUnchanged = order
      ? order.user_id === buyer && order.provider_order_id === providerOrder
      : deleted.get(providerOrder) === buyer
    return isUnchanged ? [] : [`Order ${id} was opened but is now ${JSON.stringify(order)}`]
  })
  const confirmedViolations = [...confirmed].flatMap(([id, payment]) => {
    const order = byId.get(id)
    const isUnchanged =
      order?.paid_payment_id === payment && /^(paid|refund_due|refunded)$/.test(order.payment_state)
    return isUnchanged
      ? []
      : [`Order ${id} was confirmed for ${payment} but is now ${JSON.stringify(order)}`]
  })
  return [...openedViolations, ...confirmedViolations]
}
