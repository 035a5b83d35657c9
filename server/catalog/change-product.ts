import { ADMIN_MESSAGES, stockConflictText } from '#lib/admin/messages.ts'
import type { AdminProduct, ProductChange, ProductFields } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { isSaleLower } from '#lib/product.ts'
import { changedFields, record, recordEdit, type Change } from '../accounts/audit.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { invalidField } from '../platform/http/validate.ts'
import { hasCategory } from '../settings/settings.ts'
import { setCollections } from './collection-queries.ts'
import { listSizeIds, pickShared } from './families.ts'
import { changeStock, setPictures, updateProduct } from './queries.ts'
import { findAnyProduct } from './read-products.ts'
import { deleteStockWord } from './stock-words.ts'

export type ChangeContext = Pick<Change, 'actor' | 'at'> & { action?: string }

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

/** Throws PRODUCT_NOT_FOUND. */
export async function requireProduct(db: Db, id: string): Promise<AdminProduct> {
  const product = await findAnyProduct(db, id)
  if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
  return product
}

export function fieldsOf(product: AdminProduct): ProductFields {
  const { name, nameTamil, description, price, sale, category, dietary, ingredients, quantity, shelfLife } = product
  return {
    name,
    nameTamil,
    description,
    price,
    sale,
    category,
    dietary,
    ingredients,
    shelfLife,
    quantity: { value: quantity.value, unit: quantity.unit as ProductFields['quantity']['unit'] },
    pictures: product.pictures.map(({ key, alt }) => ({ key, alt })),
    hidden: product.hiddenAt !== null,
    family: product.family ?? null,
    collections: product.collections,
    shelfLifeDays: product.shelfLifeDays ?? null,
    kitchenUnits: product.kitchenUnits ?? 1,
    extraLeadDays: product.extraLeadDays ?? 0,
    localOnly: product.localOnly ?? false,
    allergens: product.allergens ?? '',
    nutrition: product.nutrition ?? ''
  }
}

export async function savePictures(trx: Trx, id: string, pictures: ProductFields['pictures']): Promise<void> {
  if (!(await setPictures(trx, id, pictures))) throw invalidField('pictures', ADMIN_MESSAGES.pictureUnknown)
}

export async function saveCollections(trx: Trx, id: string, collections: readonly string[]): Promise<void> {
  if (!(await setCollections(trx, id, collections))) throw invalidField('collections', ADMIN_MESSAGES.collectionUnknown)
}

export function requirePicture({ pictures, hidden }: Pick<ProductFields, 'pictures' | 'hidden'>): void {
  if (!hidden && pictures.length === 0) throw invalidField('pictures', ADMIN_MESSAGES.pictureRequired)
}

export function requireLowerSalePrice(fields: Pick<ProductFields, 'price' | 'sale'>): void {
  if (!isSaleLower(fields)) throw invalidField('sale.price', ADMIN_MESSAGES.salePriceTooHigh)
}

export async function requireCategory(trx: Trx, name: string): Promise<void> {
  if (!(await hasCategory(trx, name))) throw invalidField('category', ADMIN_MESSAGES.productCategoryInvalid)
}

async function applyFields(
  trx: Trx,
  context: ChangeContext,
  product: AdminProduct,
  changed: Partial<ProductFields>
): Promise<void> {
  const { family = product.family } = changed
  const others = family ? (await listSizeIds(trx, family.id)).filter(id => id !== product.id) : []
  const joins = family && family.id !== product.family?.id ? others[0] : undefined
  const taken = joins === undefined ? {} : pickShared(fieldsOf(await requireProduct(trx, joins)))
  await saveFields(trx, context, product, changedFields(fieldsOf(product), { ...taken, ...changed }))
  const shared = pickShared(changed)
  for (const id of others) {
    const other = await requireProduct(trx, id)
    await saveFields(trx, context, other, changedFields(fieldsOf(other), shared))
  }
}

export async function saveFields(
  trx: Trx,
  { actor, at, action = 'changed' }: ChangeContext,
  product: AdminProduct,
  changed: Partial<ProductFields>
): Promise<void> {
  if (Object.keys(changed).length === 0) return
  const before = fieldsOf(product)
  const after = { ...before, ...changed }
  requirePicture(after)
  requireLowerSalePrice(after)
  if (changed.category !== undefined) await requireCategory(trx, changed.category)
  await updateProduct(trx, product.id, changed, at)
  if (changed.pictures) await savePictures(trx, product.id, changed.pictures)
  if (changed.collections) await saveCollections(trx, product.id, changed.collections)
  await recordEdit(trx, { actor, at, kind: 'product', id: product.id, action }, before, changed)
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
