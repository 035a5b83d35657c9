import type { Product } from '#lib/contract/catalog.ts'
import type { DiscountedProduct, FlashDeal } from '#lib/contract/deals.ts'
import { highestDraw } from '#lib/deal-view.ts'
import { applyDiscount, fromRupees, toRupees } from '#lib/money.ts'
import type { IsoTime } from '#lib/time.ts'
import type { Db, DealRow } from '../platform/db/tables.ts'
import { DEAL_COLUMNS } from './queries.ts'

export type RunningDeal = DealRow & { product: Product }

/** Leaves out deals of less than 1 percent, with which a shopper could draw nothing. */
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
  const { at } = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom('deals')
        .select('starts_at as at')
        .unionAll(selectFrom('deals').select('ends_at as at'))
        .unionAll(
          selectFrom('products')
            .select('sale_from as at')
            .where('sale_from', 'is not', null)
            .$narrowType<{ at: string }>()
        )
        .unionAll(
          selectFrom('products')
            .select('sale_until as at')
            .where('sale_until', 'is not', null)
            .$narrowType<{ at: string }>()
        )
        .as('changes')
    )
    .select(({ fn }) => fn.min('at').as('at'))
    .where('at', '>', now)
    .executeTakeFirstOrThrow()
  return at ?? undefined
}

export function toDiscounted(deal: RunningDeal): DiscountedProduct {
  const product = toDealProduct(deal.product)
  const reducedBy = (percent: number): number =>
    toRupees(applyDiscount(fromRupees(product.price), percent))
  return {
    _id: deal.id,
    id: deal.id,
    product,
    name: deal.product.name,
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

/** A drawn discount is taken off the usual price. */
function toDealProduct(product: Product): DiscountedProduct['product'] {
  const [picture] = product.pictures
  const {
    _id,
    name,
    price,
    listPrice = price,
    image,
    description,
    category,
    stock,
    quantity
  } = product
  return {
    _id,
    name,
    price: listPrice,
    image,
    ...(picture && { picture }),
    description,
    category,
    stock,
    quantity
  }
}
