import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type {
  AdminProduct,
  ProductChange,
  ProductDraft,
  ProductRemoval,
  SizeOrder,
  StockChange
} from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { findFreeSlug, toSlug } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { changedFields, listChanges, record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findIdByKey, listIdsByPrefix } from '../platform/db/search.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import {
  applyChange,
  type ChangeContext,
  createFamily,
  fieldsOf,
  findLastPosition,
  hasEqualSize,
  listSizeIds,
  omitShared,
  pickShared,
  requireCategory,
  requireLowerSalePrice,
  requirePicture,
  requireProduct,
  saveFields
} from './change-product.ts'
import { setCollections } from './collections.ts'
import { requireVerifiedSale } from './deep-prices.ts'
import { insertProduct, setPictures } from './queries.ts'

export type Editor = Pick<ChangeContext, 'actor' | 'isVerified'>

/**
 * Omitted fields stay unchanged. Throws PRODUCT_NOT_FOUND, EDIT_CONFLICT, INVALID_INPUT,
 * VERIFICATION_REQUIRED.
 */
export function changeProduct(
  { write, clock }: DataDeps,
  editor: Editor,
  id: string,
  change: ProductChange
): Promise<AdminProduct> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const product = await requireProduct(trx, id)
    const changed = await applyChange(trx, { ...editor, at: isoNow(clock) }, product, change)
    if (toSize(changed) !== toSize(product)) await requireOwnSize(trx, changed)
    return changed
  })
}

/** Changes if another pack size may be equal now. */
function toSize({ family, quantity, hiddenAt }: AdminProduct): string {
  return [family?.id, quantity.value, quantity.unit, hiddenAt === null].join(' ')
}

/** Throws INVALID_INPUT. */
async function requireOwnSize(trx: Trx, product: AdminProduct): Promise<void> {
  const isVisible = product.family !== undefined && product.hiddenAt === null
  if (isVisible && (await hasEqualSize(trx, product)))
    throw invalidField('quantity', ADMIN_MESSAGES.sizeExists)
}

/** Throws PRODUCT_NOT_FOUND, EDIT_CONFLICT. */
export function changeStockOf(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  stock: StockChange
): Promise<AdminProduct> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const product = await requireProduct(trx, id)
    return applyChange(trx, { actor, at: isoNow(clock) }, product, {
      version: product.version,
      stock
    })
  })
}

/**
 * If a product with this `draft.key` already exists, changes that product. Throws INVALID_INPUT,
 * EDIT_CONFLICT, VERIFICATION_REQUIRED.
 */
export function createProduct(
  { write, clock }: DataDeps,
  editor: Editor,
  draft: ProductDraft
): Promise<{ product: AdminProduct; isNew: boolean }> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const context = { ...editor, at: isoNow(clock) }
    const existingId = await findIdByKey(trx, 'products', draft.key)
    if (existingId === undefined) {
      const product = await insertProductDraft(trx, { ...context, action: 'created' }, draft)
      await requireOwnSize(trx, product)
      return { product, isNew: true }
    }
    const { key: _, sizeOf, stock, ...given } = draft
    const fields = sizeOf === undefined ? given : omitShared(given)
    const product = await requireProduct(trx, existingId)
    const changes = await listChanges(trx, { kinds: ['stock'], id: existingId })
    const created = Number(changes.find(({ action }) => action === 'created')?.after?.['stock'])
    // An earlier submit of this form created version 1. If somebody has edited it since, this
    // throws EDIT_CONFLICT. Packs may have been sold since, so the stock changes only if the form
    // has another number now.
    const change = {
      ...fields,
      version: 1,
      ...(stock !== created && { stock: { from: created, to: stock } })
    }
    const changed = await applyChange(trx, context, product, change)
    await requireOwnSize(trx, changed)
    return { product: changed, isNew: false }
  })
}

export async function insertProductDraft(
  trx: Trx,
  context: ChangeContext & { action: string },
  draft: ProductDraft
): Promise<AdminProduct> {
  const { actor, at, action } = context
  const { key, stock, pictures, collections, ...fields } = await joinFamily(trx, context, draft)
  requirePicture({ pictures, hidden: fields.hidden })
  requireLowerSalePrice(fields)
  requireVerifiedSale(fields, context)
  await requireCategory(trx, fields.category)
  const slug = toSlug(
    fields.family ? `${fields.name} ${formatPack(fields.quantity)}` : fields.name,
    'product'
  )
  const id = findFreeSlug(slug, await listIdsByPrefix(trx, 'products', slug))
  await insertProduct(trx, { ...fields, stock, key, id, createdAt: at })
  await setPictures(trx, id, pictures)
  if (collections) await setCollections(trx, id, collections)
  await record(trx, { actor, at, kind: 'product', id, action, after: { ...fields, pictures } })
  await record(trx, { actor, at, kind: 'stock', id, action, after: { stock } })
  return requireProduct(trx, id)
}

/** A new pack size has the texts and pictures of the others. */
async function joinFamily(
  trx: Trx,
  { actor, at }: ChangeContext,
  { sizeOf, ...draft }: ProductDraft
): Promise<Omit<ProductDraft, 'sizeOf'>> {
  const sibling =
    sizeOf ?? (draft.family ? (await listSizeIds(trx, draft.family.id))[0] : undefined)
  if (sibling === undefined) return draft
  const product = await requireProduct(trx, sibling)
  const shared = pickShared(fieldsOf(product))
  if (sizeOf === undefined) return { ...draft, ...shared }
  const family = product.family ?? (await createFamily(trx, product.id))
  await saveFields(trx, { actor, at }, product, changedFields(fieldsOf(product), { family }))
  return {
    ...draft,
    ...shared,
    family: { id: family.id, position: (await findLastPosition(trx, family.id)) + 1 }
  }
}

/** Throws PRODUCT_NOT_FOUND, EDIT_CONFLICT. */
export function orderSizes(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  { ids }: SizeOrder
): Promise<AdminProduct[]> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const { family } = await requireProduct(trx, id)
    const current = family ? await listSizeIds(trx, family.id) : []
    if (!family || ids.toSorted().join() !== current.toSorted().join())
      throw new ShopError('EDIT_CONFLICT')
    const sizes: AdminProduct[] = []
    for (const [position, size] of ids.entries()) {
      const product = await requireProduct(trx, size)
      const changed = changedFields(fieldsOf(product), { family: { id: family.id, position } })
      await saveFields(trx, { actor, at: isoNow(clock) }, product, changed)
      sizes.push(await requireProduct(trx, size))
    }
    return sizes
  })
}

/**
 * Deletes a product, or hides it if orders or deals use it. Throws PRODUCT_NOT_FOUND,
 * EDIT_CONFLICT.
 */
export function removeProduct(
  { write, clock }: DataDeps,
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
    await trx.deleteFrom('products').where('id', '=', id).execute()
    const before = { ...fieldsOf(product), stock: product.stock }
    await record(trx, { actor, at, kind: 'product', id, action: 'deleted', before })
    return { outcome: 'deleted' }
  })
}
