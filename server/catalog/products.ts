import { toProductFields } from '#lib/admin/product-fields.ts'
import type {
  AdminProduct,
  ProductChange,
  ProductDraft,
  ProductRemoval,
  SizeOrder
} from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { formatPack } from '#lib/product.ts'
import { listChanges, record } from '../accounts/audit.ts'
import { type Edit, type Editor, findFreeId, requireSameIds } from '../accounts/records.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findIdByKey } from '../platform/db/search.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { isoNow } from '#lib/time.ts'
import {
  applyChange,
  createFamily,
  findLastPosition,
  listSizeIds,
  omitShared,
  pickShared,
  products,
  requireOwnSize,
  requireValid,
  requireVerifiedSale,
  saveFields
} from './change-product.ts'
import { setCollections } from './collections.ts'
import { insertProduct, setPictures } from './queries.ts'

/** Omitted fields stay unchanged. Throws PRODUCT_NOT_FOUND and what `applyChange` throws. */
export function changeProduct(
  deps: DataDeps,
  editor: Editor,
  id: string,
  change: Omit<ProductChange, 'version'> & { version?: number }
): Promise<AdminProduct> {
  return edit(deps, editor, async (trx, context) => {
    const product = await products.require(trx, id)
    const { version = product.version } = change
    const changed = await applyChange(trx, context, product, { ...change, version })
    if (toSize(changed) !== toSize(product)) await requireOwnSize(trx, changed)
    return changed
  })
}

function edit<Reply>(
  { write, clock }: DataDeps,
  editor: Editor,
  action: (trx: Trx, context: Edit) => Promise<Reply>
): Promise<Reply> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    return action(trx, { ...editor, at: isoNow(clock) })
  })
}

/** Changes if another pack size may be equal now. */
function toSize({ family, quantity, hiddenAt }: AdminProduct): string {
  return [family?.id, quantity.value, quantity.unit, hiddenAt === null].join(' ')
}

/** If there is a product with the key of the draft, changes that one, as `Records.create` does. */
export function createProduct(
  deps: DataDeps,
  editor: Editor,
  draft: ProductDraft
): Promise<{ item: AdminProduct; isNew: boolean }> {
  return edit(deps, editor, async (trx, context) => {
    const known = await findIdByKey(trx, 'products', draft.key)
    const item =
      known === undefined
        ? await insertDraft(trx, { ...context, action: 'created' }, draft)
        : await repeatDraft(trx, context, known, draft)
    await requireOwnSize(trx, item)
    return { item, isNew: known === undefined }
  })
}

/** Packs may have been sold since, so the stock changes only if the form has another number now. */
async function repeatDraft(
  trx: Trx,
  context: Edit,
  id: string,
  { key: _, sizeOf, stock, ...given }: ProductDraft
): Promise<AdminProduct> {
  const changes = await listChanges(trx, { kinds: ['stock'], id })
  const from = Number(changes.find(({ action }) => action === 'created')?.after?.['stock'])
  return applyChange(trx, context, await products.require(trx, id), {
    ...(sizeOf === undefined ? given : omitShared(given)),
    version: 1,
    ...(stock !== from && { stock: { from, to: stock } })
  })
}

export async function insertDraft(
  trx: Trx,
  context: Edit & { action: string },
  draft: ProductDraft
): Promise<AdminProduct> {
  const { actor, at, action } = context
  const { key, stock, pictures, collections, ...fields } = await joinFamily(trx, context, draft)
  await requireValid(trx, { ...fields, pictures }, fields)
  requireVerifiedSale(fields, context)
  const { name, family, quantity } = fields
  const id = await findFreeId(trx, 'products', family ? `${name} ${formatPack(quantity)}` : name)
  await insertProduct(trx, { ...fields, stock, key, id, createdAt: at })
  await setPictures(trx, id, pictures)
  if (collections) await setCollections(trx, id, collections)
  await record(trx, { actor, at, kind: 'product', id, action, after: { ...fields, pictures } })
  await record(trx, { actor, at, kind: 'stock', id, action, after: { stock } })
  return products.require(trx, id)
}

/** A new pack size has the texts and pictures of the others. */
async function joinFamily(
  trx: Trx,
  { actor, at }: Edit,
  { sizeOf, ...draft }: ProductDraft
): Promise<Omit<ProductDraft, 'sizeOf'>> {
  const sibling =
    sizeOf ?? (draft.family ? (await listSizeIds(trx, draft.family.id))[0] : undefined)
  if (sibling === undefined) return draft
  const product = await products.require(trx, sibling)
  const shared = pickShared(toProductFields(product))
  if (sizeOf === undefined) return { ...draft, ...shared }
  const family = product.family ?? (await createFamily(trx, product.id))
  await saveFields(trx, { actor, at }, product, { family })
  const position = (await findLastPosition(trx, family.id)) + 1
  return { ...draft, ...shared, family: { id: family.id, position } }
}

export function orderSizes(
  deps: DataDeps,
  editor: Editor,
  id: string,
  { ids }: SizeOrder
): Promise<AdminProduct[]> {
  return edit(deps, editor, async (trx, context) => {
    const { family } = await products.require(trx, id)
    if (!family) throw new ShopError('EDIT_CONFLICT')
    requireSameIds(ids, await listSizeIds(trx, family.id))
    const sizes: AdminProduct[] = []
    for (const [position, size] of ids.entries()) {
      const product = await products.require(trx, size)
      await saveFields(trx, context, product, { family: { id: family.id, position } })
      sizes.push(await products.require(trx, size))
    }
    return sizes
  })
}

/** Hides the product instead if orders or deals use it. */
export function removeProduct(
  deps: DataDeps,
  editor: Editor,
  id: string,
  version: number
): Promise<ProductRemoval> {
  return edit(deps, editor, async (trx, context) => {
    const product = await products.require(trx, id)
    if (product.isReferred) {
      await applyChange(trx, context, product, { version, hidden: true })
      return { outcome: 'hidden' }
    }
    await products.delete(trx, context, product, version)
    return { outcome: 'deleted' }
  })
}
