import * as z from 'zod/mini'
import { DiscountedProduct } from '#lib/contract/deals.ts'
import { publishedStock } from '#lib/stock.ts'
import { trackedRead } from './reads.ts'
import { memoize, fetcher } from './source.ts'

const fetchDeals = fetcher('GET /discounted-products', z.array(DiscountedProduct))

const deals = memoize(async () =>
  (await fetchDeals()).map(({ product, ...deal }) => ({
    ...deal,
    product: { ...product, stock: publishedStock(product.stock) }
  }))
)
const dealByProduct = memoize(async () => {
  // If a product has several deals, the first one counts.
  const latestFirst = (await deals()).toReversed()
  return new Map(latestFirst.map(deal => [deal.product._id, deal]))
})

/** The deals running at publish time. */
export const getDeals = trackedRead('deals', (): Promise<DiscountedProduct[]> => deals())

export const getDeal = trackedRead('deal', async (productId: string): Promise<DiscountedProduct | undefined> => {
  return (await dealByProduct()).get(productId)
})

export async function dealPercent(productId: string): Promise<number | undefined> {
  return (await dealByProduct()).get(productId)?.discountPercentage
}
