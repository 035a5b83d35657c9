import * as z from 'zod/mini'
import { DiscountedProduct } from '#lib/contract/deals.ts'
import { toPublishedStock } from '#lib/stock.ts'
import { trackedRead } from './reads.ts'
import { memoize, createFetcher } from './source.ts'

const fetchDeals = createFetcher('GET /discounted-products', z.array(DiscountedProduct))

const loadDeals = memoize(async () =>
  (await fetchDeals()).map(({ product, ...deal }) => ({
    ...deal,
    product: { ...product, stock: toPublishedStock(product.stock) }
  }))
)
const loadDealsByProduct = memoize(async () => {
  // If a product has several deals, its first deal must stay in the Map. Later entries replace earlier ones, so the
  // list is reversed.
  const lastFirst = (await loadDeals()).toReversed()
  return new Map(lastFirst.map(deal => [deal.product._id, deal]))
})

/** Returns the deals that are running when the site is published. */
export const getDeals = trackedRead('deals', (): Promise<DiscountedProduct[]> => loadDeals())

export const getDeal = trackedRead('deal', async (productId: string): Promise<DiscountedProduct | undefined> => {
  return (await loadDealsByProduct()).get(productId)
})

export async function findDealPercent(productId: string): Promise<number | undefined> {
  return (await loadDealsByProduct()).get(productId)?.discountPercentage
}
