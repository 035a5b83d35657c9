import type { AdminProduct, ProductDraft } from '#lib/contract/admin/products.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import type { Trx } from '../platform/db/tables.ts'
import { findProductByKey, listProductIdsByPrefix, insertProduct } from './admin-queries.ts'
import { record } from '../accounts/audit.ts'
import type { Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findFreeSlug, toSlug } from './slug.ts'
import { applyChange, requirePicture, requireProduct, savePictures, type ProductDeps } from './change-product.ts'

interface Created {
  product: AdminProduct
  isNew: boolean
}

/** If a product with this `draft.key` already exists, changes that product. Throws INVALID_INPUT, EDIT_CONFLICT. */
export function createProduct({ write, clock }: ProductDeps, actor: Actor, draft: ProductDraft): Promise<Created> {
  return write(async trx => {
    // Raising the counter locks it, so that concurrent changes of the catalogue wait for each other and each product
    // gets its own id.
    await raiseCounter(trx, 'catalog')
    const context = { actor, at: isoNow(clock) }
    const existingId = await findProductByKey(trx, draft.key)
    if (existingId === undefined)
      return { product: await insertProductDraft(trx, { ...context, action: 'created' }, draft), isNew: true }
    const { key: _, stock, ...fields } = draft
    const product = await requireProduct(trx, existingId)
    // The form created version 1 of the product. A higher version means that somebody has edited it since then.
    if (product.version > 1) throw new ShopError('EDIT_CONFLICT')
    const change = { ...fields, version: 1, stock: { from: product.stock, to: stock } }
    return { product: await applyChange(trx, context, product, change), isNew: false }
  })
}

export async function insertProductDraft(
  trx: Trx,
  { actor, at, action }: { actor: Actor; at: string; action: string },
  { pictures, ...draft }: ProductDraft
): Promise<AdminProduct> {
  requirePicture({ pictures, hidden: draft.hidden })
  const slug = toSlug(draft.name, 'product')
  const id = findFreeSlug(slug, await listProductIdsByPrefix(trx, slug))
  await insertProduct(trx, { ...draft, id, createdAt: at })
  await savePictures(trx, id, pictures)
  const { key: _, stock, ...after } = draft
  await record(trx, { actor, at, kind: 'product', id, action, after: { ...after, pictures } })
  await record(trx, { actor, at, kind: 'stock', id, action, after: { stock } })
  return requireProduct(trx, id)
}
