import { randomUUID } from 'node:crypto'
import type { CartEntry, QuotedCoupon } from '#lib/contract/checkout.ts'
import { fromRupees } from '#lib/money.ts'
import type { CouponRow } from '#server/platform/db/tables.ts'
import { callAs, type Shopper } from './checkout.ts'
import type { Shop } from './shop.ts'

type CouponDraft = Partial<Omit<CouponRow, 'minimum' | 'amount' | 'categories'>> & {
  /** In rupees. */
  minimum?: number
  amount?: number
  categories?: string[]
}

/** Without terms, the coupon takes off 10 %. */
export async function addCoupon(
  shop: Shop,
  code: string,
  draft: CouponDraft = {}
): Promise<string> {
  const { minimum = 0, amount, categories = [], ...terms } = draft
  const now = new Date(shop.clock()).toISOString()
  const row: CouponRow = {
    id: randomUUID(),
    code,
    percent: amount === undefined ? 10 : null,
    amount: amount === undefined ? null : fromRupees(amount),
    minimum: fromRupees(minimum),
    starts_at: now,
    ends_at: null,
    once_per_person: 0,
    max_uses: null,
    uses: 0,
    categories: JSON.stringify(categories),
    may_be_free: 0,
    version: 1,
    creation_key: null,
    created_at: now,
    ...terms
  }
  await shop.write(trx => trx.insertInto('coupons').values(row).execute())
  return row.id
}

export async function couponOf(
  shop: Shop,
  shopper: Shopper,
  lines: CartEntry[],
  coupon: string
): Promise<QuotedCoupon & { total: number }> {
  const { body } = await callAs(shopper, shop, 'POST /cart/quote', { lines, coupon })
  const quote = body as { coupon: QuotedCoupon; total: number }
  return { ...quote.coupon, total: quote.total }
}
