import type { ProductRemoval } from '#lib/contract/admin/products.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { deleteProduct } from './admin-queries.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { applyChange, fieldsOf, requireProduct, type ProductDeps } from './change-product.ts'

/** Deletes a product, or hides it if orders or deals use it. Throws PRODUCT_NOT_FOUND, EDIT_CONFLICT. */
export function removeProduct(
  { write, clock }: ProductDeps,
  actor: Actor,
  id: string,
  version: number
): Promise<ProductRemoval> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const product = await requireProduct(trx, id)
    const at = isoNow(clock)
    if (product.isReferred) {
      await applyChange(trx, { actor, at }, product, { version, hidden: true })
      return { outcome: 'hidden' }
    }
    if (version !== product.version) throw new ShopError('EDIT_CONFLICT')
    await deleteProduct(trx, id)
    const before = { ...fieldsOf(product), stock: product.stock }
    await record(trx, { actor, at, kind: 'product', id, action: 'deleted', before })
    return { outcome: 'deleted' }
  })
}
