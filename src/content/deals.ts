import * as z from 'zod/mini'
import { DiscountedProduct } from '#lib/contract/deals.ts'
import { shownStock } from '#lib/stock.ts'
import { read } from './reads.ts'
import { once, reads } from './source.ts'

const fetchDeals = reads('GET /discounted-products', z.array(DiscountedProduct))

const deals = once(async () =>
  (await fetchDeals()).map(({ product, ...deal }) => ({
    ...deal,
    product: { ...product, stock: shownStock(product.stock) }
  }))
)
const dealByProduct = once(async () => {
  // Of two deals of one product the first counts.
  const latestFirst = (await deals()).toReversed()
  return new Map(latestFirst.map(deal => [deal.product._id, deal]))
})

/** The deals that run while the site is built. */
export const getDeals = read('deals', (): Promise<DiscountedProduct[]> => deals())

/** The running deal of a product, if there is one. */
export const getDeal = read('deal', async (productId: string): Promise<DiscountedProduct | undefined> => {
  return (await dealByProduct()).get(productId)
})

/** The percent of a product's running deal. */
export async function percentOf(productId: string): Promise<number | undefined> {
  return (await dealByProduct()).get(productId)?.discountPercentage
}
