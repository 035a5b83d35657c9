import type { Trx } from '../../db/tables.ts'

/** A discount that an order counts on. */
export interface Claim {
  dealId: string
  percent: number
}

/**
 * Keeps a shopper's discount for an order: one order at a time has it. False when another has, when its deal does not run
 * at `now` (ISO), or when it is not what the order counts on. An order that had it before need not ask for a running deal.
 */
export async function claimDraw(
  trx: Trx,
  { dealId, percent }: Claim,
  userId: string,
  orderId: string,
  now?: string
): Promise<boolean> {
  const query = trx
    .updateTable('draws')
    .set({ order_id: orderId })
    .where('deal_id', '=', dealId)
    .where('user_id', '=', userId)
    .where('percent', '=', percent)
    .where('order_id', 'is', null)
  const running =
    now === undefined
      ? query
      : query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('deals')
              .select('deals.id')
              .where('deals.id', '=', dealId)
              .where('starts_at', '<=', now)
              .where('ends_at', '>', now)
          )
        )
  const { numUpdatedRows } = await running.executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Lets the shopper use again what an order had claimed. */
export async function releaseDraws(trx: Trx, orderId: string): Promise<void> {
  await trx.updateTable('draws').set({ order_id: null }).where('order_id', '=', orderId).execute()
}
