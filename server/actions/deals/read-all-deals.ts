import type { DiscountedProduct } from '#lib/contract/deals.ts'
import type { Db } from '../../db/tables.ts'
import { listProducts } from '../../queries/catalog.ts'
import { listDeals } from '../../queries/deals.ts'
import { toDiscounted } from '../read-public.ts'

/** Every deal, also those that have ended or not begun. */
export async function readAllDeals(db: Db): Promise<DiscountedProduct[]> {
  const products = new Map((await listProducts(db)).map(product => [product.id, product]))
  return (await listDeals(db)).flatMap(row => {
    const product = products.get(row.product_id)
    return product ? [toDiscounted({ ...row, product })] : []
  })
}
