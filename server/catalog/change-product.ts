import { ADMIN_MESSAGES, stockConflictText } from '#lib/admin/messages.ts'
import { SHARED_FIELDS, toProductFields } from '#lib/admin/product-fields.ts'
import type { AdminProduct, Family, ProductChange, ProductFields } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { findFreeSlug } from '#lib/paths.ts'
import { isSaleLower } from '#lib/product.ts'
import { DAY, type IsoTime, toIso } from '#lib/time.ts'
import { changedFields, listReplacedValues, record } from '../accounts/audit.ts'
import { type Edit, Records } from '../accounts/records.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { invalidField } from '../platform/http/validate.ts'
import { listCategoryNames } from '../settings/settings.ts'
import { setCollections } from './collections.ts'
import { changeStock, setPictures, updateProduct } from './queries.ts'
import { findAnyProduct } from './read-products.ts'

export const products = new Records<AdminProduct, ProductFields>({
  kind: 'product',
  table: 'products',
  notFound: 'PRODUCT_NOT_FOUND',
  lock: trx => raiseCounter(trx, 'catalog'),
  find: findAnyProduct,
  fieldsOf: toProductFields,
  save: async (trx, edit, product, changed) => {
    await requireValid(trx, { ...toProductFields(product), ...changed }, changed)
    await requireVerifiedPrices(trx, product, changed, edit)
    await updateProduct(trx, product.id, changed, edit.at)
    if (changed.pictures) await setPictures(trx, product.id, changed.pictures)
    if (changed.collections) await setCollections(trx, product.id, changed.collections)
  }
})

/** The caller must raise the counter `catalog` first. */
export async function applyChange(
  trx: Trx,
  edit: Edit,
  product: AdminProduct,
  { stock, ...fields }: ProductChange
): Promise<AdminProduct> {
  const changed = products.findChanged(product, fields)
  if (changed) await saveWithFamily(trx, edit, product, changed)
  if (stock && stock.to !== product.stock) await saveStock(trx, edit, product, stock)
  return products.require(trx, product.id)
}

/** Refuses `fields`, of which only `changed` are new. */
export async function requireValid(
  trx: Trx,
  fields: Pick<ProductFields, 'pictures' | 'hidden' | 'price' | 'sale'>,
  changed: Partial<ProductFields>
): Promise<void> {
  if (!fields.hidden && fields.pictures.length === 0)
    throw invalidField('pictures', 'Add a picture, or keep the product hidden.')
  if (!isSaleLower(fields)) throw invalidField('sale.price', ADMIN_MESSAGES.salePriceTooHigh)
  const { category } = changed
  if (category !== undefined && !(await listCategoryNames(trx)).includes(category))
    throw invalidField('category', ADMIN_MESSAGES.productCategoryInvalid)
}

async function saveWithFamily(
  trx: Trx,
  edit: Edit,
  product: AdminProduct,
  changed: Partial<ProductFields>
): Promise<void> {
  const { family = product.family } = changed
  const others = family ? (await listSizeIds(trx, family.id)).filter(id => id !== product.id) : []
  const joined = family && family.id !== product.family?.id ? others[0] : undefined
  const taken =
    joined === undefined ? {} : pickShared(toProductFields(await products.require(trx, joined)))
  await saveFields(trx, edit, product, { ...taken, ...changed })
  for (const id of others)
    await saveFields(trx, edit, await products.require(trx, id), pickShared(changed))
}

/** Saves those fields that differ, in this product only. */
export async function saveFields(
  trx: Trx,
  edit: Edit,
  product: AdminProduct,
  fields: Partial<ProductFields>
): Promise<void> {
  const changed = changedFields(toProductFields(product), fields)
  if (Object.keys(changed).length > 0) await products.save(trx, edit, product, changed)
}

async function saveStock(
  trx: Trx,
  { actor, at, action = 'changed' }: Edit,
  { id, stock }: AdminProduct,
  change: { from: number; to: number }
): Promise<void> {
  if (!(await changeStock(trx, id, change)))
    throw new ShopError('EDIT_CONFLICT', { message: stockConflictText(stock) })
  const [before, after] = [{ stock: change.from }, { stock: change.to }]
  await record(trx, { actor, at, kind: 'stock', id, action, before, after })
}

export function pickShared(fields: Partial<ProductFields>): Partial<ProductFields> {
  return pick(fields, name => SHARED_FIELDS.includes(name))
}

export function omitShared<Fields extends object>(fields: Fields): Partial<Fields> {
  return pick(fields, name => !SHARED_FIELDS.includes(name))
}

function pick<Fields extends object>(
  fields: Fields,
  isPicked: (name: string) => boolean
): Partial<Fields> {
  const entries = Object.entries(fields).filter(
    ([name, value]) => isPicked(name) && value !== undefined
  )
  return Object.fromEntries(entries) as Partial<Fields>
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
export async function requireOwnSize(
  trx: Trx,
  { id, family, quantity, hiddenAt }: AdminProduct
): Promise<void> {
  if (!family || hiddenAt !== null) return
  const equal = trx
    .selectFrom('products')
    .where('family_id', '=', family.id)
    .where('id', '!=', id)
    .where('pack_value', '=', quantity.value)
    .where('pack_unit', '=', quantity.unit)
    .where('hidden_at', 'is', null)
  if ((await countRows(equal)) > 0) throw invalidField('quantity', ADMIN_MESSAGES.sizeExists)
}

/** A new family is named after its first product, unless a family has this name already. */
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

type Prices = Pick<ProductFields, 'price' | 'sale'>

interface Verification {
  at: IsoTime
  /** True after a recent verification, which a deep price needs. */
  isVerified?: boolean
}

/** Throws VERIFICATION_REQUIRED for a sale price below half of the price. */
export function requireVerifiedSale(
  { price, sale }: Prices,
  { isVerified }: Pick<Verification, 'isVerified'>
): void {
  if (!isVerified && sale && sale.price * 2 < price) throw new ShopError('VERIFICATION_REQUIRED')
}

/** Throws VERIFICATION_REQUIRED below half of the highest price of the last day. */
export async function requireVerifiedPrices(
  db: Db,
  { id, price }: Pick<AdminProduct, 'id' | 'price'>,
  changed: Partial<Prices>,
  { at, isVerified }: Verification
): Promise<void> {
  const lowest = Math.min(changed.price ?? price, changed.sale?.price ?? price)
  if (isVerified || lowest >= price) return
  if (lowest * 2 < Math.max(price, await findHighestPrice(db, id, at)))
    throw new ShopError('VERIFICATION_REQUIRED')
}

async function findHighestPrice(db: Db, id: string, at: IsoTime): Promise<number> {
  const since = toIso(Date.parse(at) - DAY)
  const prices = await listReplacedValues(db, { kind: 'product', id, field: 'price', since })
  return Math.max(...prices.map(Number))
}
