import type { Trx } from '../platform/db/tables.ts'

export interface Claim {
  dealId: string
  percent: number
}

/** Claims a drawn discount for one order. If `now` (ISO) is given, the deal must be running at that time. */
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

export async function releaseDraws(trx: Trx, orderId: string): Promise<void> {
  await trx.updateTable('draws').set({ order_id: null }).where('order_id', '=', orderId).execute()
}
