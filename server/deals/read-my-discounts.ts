import type { Discount } from '#lib/contract/deals.ts'
import { toRupees } from '#lib/money.ts'
import { applyDiscount } from '#lib/pricing.ts'
import type { Database } from '../platform/db/connect.ts'
import { listRunningDraws } from './draw-queries.ts'

export async function readMyDiscounts(
  { database }: { database: Database },
  userId: string,
  now: number
): Promise<Discount[]> {
  const serverTime = new Date(now).toISOString()
  const drawn = await listRunningDraws(database.kysely, userId, serverTime)
  return drawn.map(({ deal_id, product_id, percent, price, ends_at, order_id, payment_state }) => ({
    dealId: deal_id,
    productId: product_id,
    discount: percent,
    price: toRupees(applyDiscount(price, percent)),
    originalPrice: toRupees(price),
    endTime: ends_at,
    // A discount in an unpaid order does not count as used, because the shopper can still use it in a new checkout.
    used: order_id !== null && payment_state !== 'awaiting',
    serverTime
  }))
}
