import type { AdminProduct, ProductDraft } from '#lib/contract/admin/products.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../../clock.ts'
import type { Trx } from '../../db/tables.ts'
import { findByCreationKey, idsLike, insertProduct } from '../../queries/admin/products.ts'
import { record } from '../../queries/audit.ts'
import type { Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { firstFree, slugOf } from '../../slug.ts'
import { applyChange, expectPicture, productOf, putPictures, type ProductDeps } from './change-product.ts'

interface Created {
  product: AdminProduct
  /** False when the form had made it before: then what was typed since is put into it. */
  isNew: boolean
}

/** Makes a product with an address of its own, once for each form. Throws ShopError INVALID_INPUT, EDIT_CONFLICT. */
export function createProduct({ write, clock }: ProductDeps, actor: Actor, draft: ProductDraft): Promise<Created> {
  return write(async trx => {
    // The counter comes first: who makes another product at the same time waits here, and then sees this one's id.
    await raiseCounter(trx, 'catalog')
    const occasion = { actor, at: isoNow(clock) }
    const made = await findByCreationKey(trx, draft.key)
    if (made === undefined)
      return { product: await insertDraft(trx, { ...occasion, what: 'created' }, draft), isNew: true }
    const { key: _, stock, ...fields } = draft
    const product = await productOf(trx, made)
    // Who has changed it since is not written over by a form that was left open.
    if (product.version > 1) throw new ShopError('EDIT_CONFLICT')
    const change = { ...fields, version: 1, stock: { from: product.stock, to: stock } }
    return { product: await applyChange(trx, occasion, product, change), isNew: false }
  })
}

/** Inside a transaction that has raised the counter of the catalogue. */
export async function insertDraft(
  trx: Trx,
  { actor, at, what }: { actor: Actor; at: string; what: string },
  { pictures, ...draft }: ProductDraft
): Promise<AdminProduct> {
  expectPicture({ pictures, hidden: draft.hidden })
  const word = slugOf(draft.name, 'product')
  const id = firstFree(word, await idsLike(trx, word))
  await insertProduct(trx, { ...draft, id, createdAt: at })
  await putPictures(trx, id, pictures)
  const { key: _, stock, ...after } = draft
  await record(trx, { actor, at, kind: 'product', id, action: what, after: { ...after, pictures } })
  await record(trx, { actor, at, kind: 'stock', id, action: what, after: { stock } })
  return productOf(trx, id)
}
