import { ADMIN_MESSAGES, stockConflictText } from '#lib/admin/messages.ts'
import type {
  AdminProduct,
  ProductChange,
  ProductDraft,
  ProductFields,
  ProductRemoval,
  StockChange
} from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { findFreeSlug, toSlug } from '#lib/paths.ts'
import { changedFields, record, type Actor, type Change } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findIdByKey, listIdsByPrefix } from '../platform/db/search.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { isoNow } from '../platform/process/clock.ts'
import { hasCategory } from '../settings/settings.ts'
import { changeStock, insertProduct, setPictures, updateProduct } from './queries.ts'
import { findAnyProduct } from './read-products.ts'
import { deleteStockWord } from './stock-words.ts'

/** Omitted fields stay unchanged. Throws PRODUCT_NOT_FOUND, EDIT_CONFLICT, INVALID_INPUT. */
export function changeProduct(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  change: ProductChange
): Promise<AdminProduct> {
  return write(async trx => {
    // Raising the counter locks it, so that concurrent changes of the catalogue wait for each other.
    await raiseCounter(trx, 'catalog')
    const product = await requireProduct(trx, id)
    return applyChange(trx, { actor, at: isoNow(clock) }, product, change)
  })
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
    return applyChange(trx, { actor, at: isoNow(clock) }, product, { version: product.version, stock })
  })
}

type ChangeContext = Pick<Change, 'actor' | 'at'> & { action?: string }

/** The caller must raise the counter `catalog` first. Throws EDIT_CONFLICT, INVALID_INPUT. */
export async function applyChange(
  trx: Trx,
  context: ChangeContext,
  product: AdminProduct,
  { version, stock, ...fields }: ProductChange
): Promise<AdminProduct> {
  const before = fieldsOf(product)
  const changed = changedFields(before, fields)
  if (Object.keys(changed).length > 0) {
    if (version !== product.version) throw new ShopError('EDIT_CONFLICT')
    await applyFields(trx, context, product, changed)
  }
  if (stock && stock.to !== product.stock) await applyStock(trx, context, product, stock)
  return requireProduct(trx, product.id)
}

async function requireProduct(trx: Trx, id: string): Promise<AdminProduct> {
  const product = await findAnyProduct(trx, id)
  if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
  return product
}

function fieldsOf(product: AdminProduct): ProductFields {
  const { name, nameTamil, description, price, category, dietary, ingredients, quantity, shelfLife } = product
  return {
    name,
    nameTamil,
    description,
    price,
    category,
    dietary,
    ingredients,
    shelfLife,
    quantity: { value: quantity.value, unit: quantity.unit as ProductFields['quantity']['unit'] },
    pictures: product.pictures.map(({ key, alt }) => ({ key, alt })),
    hidden: product.hiddenAt !== null
  }
}

async function savePictures(trx: Trx, id: string, pictures: ProductFields['pictures']): Promise<void> {
  if (!(await setPictures(trx, id, pictures))) throw invalidField('pictures', ADMIN_MESSAGES.pictureUnknown)
}

function requirePicture({ pictures, hidden }: Pick<ProductFields, 'pictures' | 'hidden'>): void {
  if (!hidden && pictures.length === 0) throw invalidField('pictures', ADMIN_MESSAGES.pictureRequired)
}

async function requireCategory(trx: Trx, name: string): Promise<void> {
  if (!(await hasCategory(trx, name))) throw invalidField('category', ADMIN_MESSAGES.productCategoryInvalid)
}

async function applyFields(
  trx: Trx,
  { actor, at, action = 'changed' }: ChangeContext,
  product: AdminProduct,
  changed: Partial<ProductFields>
): Promise<void> {
  const before = fieldsOf(product)
  const after = { ...before, ...changed }
  requirePicture(after)
  if (changed.category !== undefined) await requireCategory(trx, changed.category)
  await updateProduct(trx, product.id, changed, at)
  if (changed.pictures) await savePictures(trx, product.id, changed.pictures)
  const { hidden, ...others } = changed
  const entry = { actor, at, kind: 'product', id: product.id } as const
  if (hidden !== undefined) {
    const hiddenAction = hidden ? 'hidden' : 'shown'
    await record(trx, { ...entry, action: hiddenAction, before: { hidden: before.hidden }, after: { hidden } })
  }
  if (Object.keys(others).length > 0) {
    await record(trx, { ...entry, action, before, after: { ...after, hidden: before.hidden } })
  }
}

async function applyStock(
  trx: Trx,
  { actor, at, action = 'changed' }: ChangeContext,
  { id, stock }: AdminProduct,
  change: { from: number; to: number }
): Promise<void> {
  if (!(await changeStock(trx, id, change))) {
    throw new ShopError('EDIT_CONFLICT', { message: stockConflictText(stock) })
  }
  await deleteStockWord(trx, id)
  const [before, after] = [{ stock: change.from }, { stock: change.to }]
  await record(trx, { actor, at, kind: 'stock', id, action, before, after })
}

function invalidField(field: string, text: string): ShopError {
  return new ShopError('INVALID_INPUT', { fields: { [field]: text } })
}

/** If a product with this `draft.key` already exists, changes that product. Throws INVALID_INPUT, EDIT_CONFLICT. */
export function createProduct(
  { write, clock }: DataDeps,
  actor: Actor,
  draft: ProductDraft
): Promise<{ product: AdminProduct; isNew: boolean }> {
  return write(async trx => {
    // Raising the counter locks it, so that concurrent changes of the catalogue wait for each other and each product
    // gets its own id.
    await raiseCounter(trx, 'catalog')
    const context = { actor, at: isoNow(clock) }
    const existingId = await findIdByKey(trx, 'products', draft.key)
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
  { actor, at, action }: Pick<Change, 'actor' | 'at' | 'action'>,
  { pictures, ...draft }: ProductDraft
): Promise<AdminProduct> {
  requirePicture({ pictures, hidden: draft.hidden })
  await requireCategory(trx, draft.category)
  const slug = toSlug(draft.name, 'product')
  const id = findFreeSlug(slug, await listIdsByPrefix(trx, 'products', slug))
  await insertProduct(trx, { ...draft, id, createdAt: at })
  await savePictures(trx, id, pictures)
  const { key: _, stock, ...after } = draft
  await record(trx, { actor, at, kind: 'product', id, action, after: { ...after, pictures } })
  await record(trx, { actor, at, kind: 'stock', id, action, after: { stock } })
  return requireProduct(trx, id)
}

/** Deletes a product, or hides it if orders or deals use it. Throws PRODUCT_NOT_FOUND, EDIT_CONFLICT. */
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
