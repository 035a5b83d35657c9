import { sql } from 'kysely'
import type { Product } from '#lib/contract/catalog.ts'
import type { DiscountedProduct, FlashDeal } from '#lib/contract/promotions.ts'
import { highestDraw } from '#lib/catalog/deal-view.ts'
import { applyDiscount, fromRupees, toRupees } from '#lib/money.ts'
import type { IsoTime } from '#lib/time.ts'
import type { Db, DealRow } from '../platform/db/tables.ts'

export const DEAL_COLUMNS = [
  'deals.id',
  'deals.product_id',
  'deals.starts_at',
  'deals.ends_at',
  sql<number>`(deals.percent * 100 + deals.hundredths) / 100.0`.as('percent')
] as const

export type RunningDeal = DealRow & { product: Product }

/** Without those of less than 1 percent, with which nothing can be drawn. */
export async function listRunningDeals(db: Db, now: IsoTime): Promise<DealRow[]> {
  const deals = await db
    .selectFrom('deals')
    .select(DEAL_COLUMNS)
    .where('starts_at', '<=', now)
    .where('ends_at', '>', now)
    .orderBy('ends_at')
    .orderBy('id')
    .execute()
  return deals.filter(({ percent }) => highestDraw(percent) > 0)
}

export async function nextPriceChange(db: Db, now: IsoTime): Promise<string | undefined> {
  const { rows } = await sql<{ next: string | null }>`select min(moment) as next from (
      select starts_at as moment from deals union all select ends_at from deals
      union all select sale_from from products where sale_from is not null
      union all select sale_until from products where sale_until is not null
    ) as changes where moment > ${now}`.execute(db)
  return rows[0]?.next ?? undefined
}

export function toDiscounted(deal: RunningDeal): DiscountedProduct {
  const product = toDealProduct(deal.product)
  const reducedBy = (percent: number) => toRupees(applyDiscount(fromRupees(product.price), percent))
  return {
    _id: deal.id,
    id: deal.id,
    product,
    name: deal.product.name,
    nameTamil: deal.product.nameTamil,
    image: deal.product.image,
    originalPrice: product.price,
    currentPrice: reducedBy(deal.percent),
    discountedPrice: reducedBy(highestDraw(deal.percent)),
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

/**
 * A drawn discount is taken off the usual price. Deals show the second view of a product, because
 * its card often stands on the same page.
 */
function toDealProduct(product: Product): DiscountedProduct['product'] {
  const { _id, name, nameTamil, price, listPrice = price, image, description, category } = product
  const { stock, quantity, pictures, translations } = product
  const picture = pictures[1] ?? pictures[0]
  const texts = { name, nameTamil, description, ...(translations && { translations }) }
  const shown = { _id, ...texts, price: listPrice, image, category, stock, quantity }
  return picture ? { ...shown, picture } : shown
}
