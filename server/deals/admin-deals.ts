import type { AdminProduct } from '#lib/contract/admin/products.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/errors.ts'
import type { Db } from '../platform/db/tables.ts'
import { findAnyProduct, listAllProducts } from '../catalog/admin-queries.ts'
import { listAdminDeals, type AdminDealRow } from './queries.ts'
import { toDiscounted } from '../publishing/public-data.ts'

export async function readAdminDeals(db: Db, now: string): Promise<AdminDeal[]> {
  const products = new Map((await listAllProducts(db)).map(product => [product.id, product]))
  return (await listAdminDeals(db)).flatMap(row => {
    const product = products.get(row.product_id)
    return product ? [toAdminDeal(row, product, now)] : []
  })
}

/** `now` is ISO. Throws DEAL_NOT_FOUND. */
export async function readAdminDeal(db: Db, id: string, now: string): Promise<AdminDeal> {
  const [row] = await listAdminDeals(db, id)
  const product = row && (await findAnyProduct(db, row.product_id))
  if (!product) throw new ShopError('DEAL_NOT_FOUND')
  return toAdminDeal(row, product, now)
}

function toAdminDeal(row: AdminDealRow, product: AdminProduct, serverTime: string): AdminDeal {
  const { version, drawn } = row
  return { ...toDiscounted({ ...row, product }), version, drawn, hidden: product.hiddenAt !== null, serverTime }
}
