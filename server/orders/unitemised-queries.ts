import type { UnitemisedPaymentRow } from '../platform/db/order-tables.ts'
import type { Db, Trx } from '../platform/db/tables.ts'

/** `POST /payments/razorpay-order` creates an unitemised payment if the request contains no items. */
export async function insertUnitemised(
  trx: Trx,
  payment: Pick<UnitemisedPaymentRow, 'id' | 'user_id' | 'total' | 'next_check_at' | 'created_at'>
): Promise<void> {
  await trx
    .insertInto('unitemised_payments')
    .values({ ...payment, state: 'open' })
    .execute()
}

export async function setUnitemisedProviderOrder(trx: Trx, id: string, providerOrderId: string): Promise<void> {
  await trx
    .updateTable('unitemised_payments')
    .set({ provider_order_id: providerOrderId })
    .where('id', '=', id)
    .where('provider_order_id', 'is', null)
    .execute()
}

export function findUnitemisedByProviderOrder(
  db: Db,
  providerOrderId: string
): Promise<UnitemisedPaymentRow | undefined> {
  return db
    .selectFrom('unitemised_payments')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .executeTakeFirst()
}

export async function closeUnitemised(
  trx: Trx,
  id: string,
  decision: Pick<UnitemisedPaymentRow, 'state' | 'order_id' | 'next_check_at'>
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('unitemised_payments')
    .set(decision)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function setUnitemisedNextCheck(trx: Trx, id: string, nextCheckAt: string | null): Promise<void> {
  await trx.updateTable('unitemised_payments').set({ next_check_at: nextCheckAt }).where('id', '=', id).execute()
}

/** `now` is ISO. */
export function listDueUnitemised(db: Db, now: string, limit: number): Promise<UnitemisedPaymentRow[]> {
  return db
    .selectFrom('unitemised_payments')
    .selectAll()
    .where('next_check_at', 'is not', null)
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
