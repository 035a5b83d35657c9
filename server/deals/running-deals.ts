import type { Product } from '#lib/contract/catalog.ts'
import type { DiscountedProduct, FlashDeal } from '#lib/contract/deals.ts'
import { applyDiscount, fromRupees, toRupees } from '#lib/money.ts'
import type { Db, DealRow } from '../platform/db/tables.ts'

export type RunningDeal = DealRow & { product: Product }

/** `now` is ISO. */
export function listRunningDeals(db: Db, now: string): Promise<DealRow[]> {
  return db
    .selectFrom('deals')
    .selectAll()
    .where('starts_at', '<=', now)
    .where('ends_at', '>', now)
    .orderBy('ends_at')
    .orderBy('id')
    .execute()
}

/** `now` and the result are ISO. */
export async function nextDealChange(db: Db, now: string): Promise<string | undefined> {
  const { start, end } = await db
    .selectNoFrom(eb => [
      eb
        .selectFrom('deals')
        .select(({ fn }) => fn.min('starts_at').as('at'))
        .where('starts_at', '>', now)
        .as('start'),
      eb
        .selectFrom('deals')
        .select(({ fn }) => fn.min('ends_at').as('at'))
        .where('ends_at', '>', now)
        .as('end')
    ])
    .executeTakeFirstOrThrow()
  return [start, end].filter(time => time !== null).sort()[0]
}

export function toDiscounted(deal: RunningDeal): DiscountedProduct {
  const lowest = toRupees(applyDiscount(fromRupees(deal.product.price), deal.percent))
  return {
    _id: deal.id,
    id: deal.id,
    product: toDealProduct(deal.product),
    name: deal.product.name,
    image: deal.product.image,
    originalPrice: deal.product.price,
    currentPrice: lowest,
    discountedPrice: lowest,
    discountPercentage: deal.percent,
    startTime: deal.starts_at,
    endTime: deal.ends_at
  }
}

export function toFlashDeal(deal: RunningDeal): Omit<FlashDeal, 'serverTime'> {
  return {
    _id: deal.id,
    productId: toDealProduct(deal.product),
    startTime: deal.starts_at,
    endTime: deal.ends_at,
    discountPercentage: deal.percent
  }
}

function toDealProduct(product: Product): DiscountedProduct['product'] {
  const [picture] = product.pictures
  const { _id, name, price, image, description, category, stock, quantity } = product
  return { _id, name, price, image, ...(picture && { picture }), description, category, stock, quantity }
}
