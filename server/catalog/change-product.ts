import { ADMIN_MESSAGES, stockConflictText } from '#lib/admin/messages.ts'
import { SHARED_FIELDS } from '#lib/constants.ts'
import type { AdminProduct, Family, ProductChange, ProductFields } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { findFreeSlug } from '#lib/paths.ts'
import { isSaleLower } from '#lib/product.ts'
import { type Change, changedFields, record, recordEdit } from '../accounts/audit.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { invalidField } from '../platform/http/validate.ts'
import { hasCategory } from '../settings/settings.ts'
import { setCollections } from './collections.ts'
import { requireVerifiedPrices } from './deep-prices.ts'
import { changeStock, setPictures, updateProduct } from './queries.ts'
import { findAnyProduct } from './read-products.ts'
import { ADMIN_FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const texts = { pictureRequired: 'Add a picture, or keep the product hidden.' }

/** Deep prices are refused unless `isVerified`: the administrator has just entered the password. */
export type ChangeContext = Pick<Change, 'actor' | 'at'> & { action?: string; isVerified?: boolean }

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
  const {
    name,
    nameTamil,
    description,
    price,
    sale,
    category,
    dietary,
    ingredients,
    quantity,
    shelfLife
  } = product
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

export function requirePicture({
  pictures,
  hidden
}: Pick<ProductFields, 'pictures' | 'hidden'>): void {
  if (!hidden && pictures.length === 0) throw invalidField('pictures', texts.pictureRequired)
}

export function requireLowerSalePrice(fields: Pick<ProductFields, 'price' | 'sale'>): void {
  if (!isSaleLower(fields)) throw invalidField('sale.price', ADMIN_MESSAGES.salePriceTooHigh)
}

export async function requireCategory(trx: Trx, name: string): Promise<void> {
  if (!(await hasCategory(trx, name)))
    throw invalidField('category', ADMIN_FIELD_TEXTS.productCategoryInvalid)
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
  await saveFields(
    trx,
    context,
    product,
    changedFields(fieldsOf(product), { ...taken, ...changed })
  )
  const shared = pickShared(changed)
  for (const id of others) {
    const other = await requireProduct(trx, id)
    await saveFields(trx, context, other, changedFields(fieldsOf(other), shared))
  }
}

export async function saveFields(
  trx: Trx,
  context: ChangeContext,
  product: AdminProduct,
  changed: Partial<ProductFields>
): Promise<void> {
  const { actor, at, action = 'changed' } = context
  if (Object.keys(changed).length === 0) return
  const before = fieldsOf(product)
  const after = { ...before, ...changed }
  requirePicture(after)
  requireLowerSalePrice(after)
  await requireVerifiedPrices(trx, product, changed, context)
  if (changed.category !== undefined) await requireCategory(trx, changed.category)
  await updateProduct(trx, product.id, changed, at)
  if (changed.pictures) await setPictures(trx, product.id, changed.pictures)
  if (changed.collections) await setCollections(trx, product.id, changed.collections)
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
  const [before, after] = [{ stock: change.from }, { stock: change.to }]
  await record(trx, { actor, at, kind: 'stock', id, action, before, after })
}

type SharedFields = Pick<ProductFields, (typeof SHARED_FIELDS)[number]>

export function pickShared<Fields extends Partial<SharedFields>>(
  fields: Fields
): Partial<SharedFields> {
  const given = SHARED_FIELDS.filter(name => fields[name] !== undefined)
  return Object.fromEntries(given.map(name => [name, fields[name]]))
}

export function omitShared<Fields extends object>(
  fields: Fields
): Omit<Fields, keyof SharedFields> {
  const own = Object.entries(fields).filter(
    ([name]) => !SHARED_FIELDS.some(shared => shared === name)
  )
  return Object.fromEntries(own) as Omit<Fields, keyof SharedFields>
}

export async function listSizeIds(trx: Trx, family: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('products')
    .select('id')
    .where('family_id', '=', family)
    .orderBy('family_position')
    .orderBy('price')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function findLastPosition(trx: Trx, family: string): Promise<number> {
  const { last } = await trx
    .selectFrom('products')
    .select(({ fn }) => fn.max('family_position').as('last'))
    .where('family_id', '=', family)
    .executeTakeFirstOrThrow()
  return Number(last ?? -1)
}

/** Two pack sizes that shoppers see must differ. */
export async function hasEqualSize(
  trx: Trx,
  { id, family, quantity }: AdminProduct
): Promise<boolean> {
  const equal = trx
    .selectFrom('products')
    .where('family_id', '=', family?.id ?? '')
    .where('id', '!=', id)
    .where('pack_value', '=', quantity.value)
    .where('pack_unit', '=', quantity.unit)
    .where('hidden_at', 'is', null)
  return (await countRows(equal)) > 0
}

/**
 * Returns a new family. It is named after its first product, unless a family has this name already.
 */
export async function createFamily(trx: Trx, product: string): Promise<Family> {
  const rows = await trx
    .selectFrom('products')
    .select('family_id')
    .distinct()
    .where('family_id', 'like', `${product}%`)
    .execute()
  const taken = new Set(rows.flatMap(({ family_id }) => family_id ?? []))
  return { id: findFreeSlug(product, taken), position: 0 }
}
