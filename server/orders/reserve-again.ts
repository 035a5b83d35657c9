import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { claimDraw } from './draw-claims.ts'
import { findLinesOf } from './order-queries.ts'
import { announceStockChange, lastMovementSeq, reservePacks, type PackCount } from './stock-queries.ts'

/**
 * Reserves the stock and discounts of an expired or cancelled order again. If it returns false, the caller must roll
 * back.
 */
export async function reserveAgain(trx: Trx, { id, user_id }: OrderRow, now: number): Promise<boolean> {
  const lines = await findLinesOf(trx, id)
  const movement = {
    order_id: id,
    seq: (await lastMovementSeq(trx, id)) + 1,
    reason: 'revived',
    moved_at: new Date(now).toISOString()
  } as const
  const change = await reservePacks(trx, countPacks(lines), movement)
  if (!change) return false
  for (const { deal_id, percent } of lines) {
    if (deal_id === null || percent === null) continue
    if (!(await claimDraw(trx, { dealId: deal_id, percent }, user_id, id))) return false
  }
  await announceStockChange(trx, change)
  return true
}

export function countPacks(lines: readonly Pick<OrderLineRow, 'product_id' | 'quantity'>[]): PackCount[] {
  const packs = new Map<string, PackCount>()
  for (const { product_id: product, quantity } of lines) {
    packs.set(product, { product, count: quantity + (packs.get(product)?.count ?? 0) })
  }
  return [...packs.values()]
}
