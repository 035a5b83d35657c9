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
  // Reverses the list, because later Map entries replace earlier ones, and a product's first deal must replace the
  // others.
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
