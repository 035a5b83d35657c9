import * as z from 'zod/mini'
import { DiscountedProduct } from '#lib/contract/deals.ts'
import { reads } from './source.ts'

/** The deals that run while the site is built. */
export const getDeals: () => Promise<DiscountedProduct[]> = reads(
  'GET /discounted-products',
  z.array(DiscountedProduct)
)

/** The running deal of a product, if there is one. */
export async function getDeal(productId: string): Promise<DiscountedProduct | undefined> {
  return (await getDeals()).find(deal => deal.product._id === productId)
}
