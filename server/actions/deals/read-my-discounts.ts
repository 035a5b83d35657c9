import type { Discount } from '#lib/contract/deals.ts'
import { toRupees } from '#lib/money.ts'
import { discounted } from '#lib/pricing.ts'
import type { Database } from '../../db/connect.ts'
import { listDraws } from '../../queries/draws.ts'

/** `now` in ms. */
export async function readMyDiscounts(
  { database }: { database: Database },
  userId: string,
  now: number
): Promise<Discount[]> {
  const serverTime = new Date(now).toISOString()
  const drawn = await listDraws(database.kysely, userId, serverTime)
  return drawn.map(({ deal_id, product_id, percent, price, ends_at, order_id, payment_state }) => ({
    dealId: deal_id,
    productId: product_id,
    discount: percent,
    price: toRupees(discounted(price, percent)),
    originalPrice: toRupees(price),
    endTime: ends_at,
    // An unpaid order does not use up the discount: another checkout may take it over.
    used: order_id !== null && payment_state !== 'awaiting',
    serverTime
  }))
}
