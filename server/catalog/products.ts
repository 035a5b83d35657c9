import { t } from '#lib/contract/texts.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SHARED_FIELDS, toProductFields } from '#lib/admin/product-fields.ts'
import type {
  AdminProduct,
  ProductChange,
  ProductDraft,
  ProductFields,
  ProductRemoval,
  SizeOrder,
  StockChange
} from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { findFreeSlug } from '#lib/paths.ts'
import { formatPack, isSaleLower, toLimit } from '#lib/product.ts'
import { DAY, isoNow, toIso } from '#lib/time.ts'
import { listChanges, listReplacedValues, record } from '../accounts/audit.ts'
import { type Edit, type Editor, findFreeId, Records, requireSameIds } from '../accounts/records.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findIdByKey } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { listCategoryNames } from '../settings/settings.ts'
import { setCollections } from './collections.ts'
import {
  changeStock,
  findLastPosition,
  hasEqualSize,
  insertProduct,
  listFamilyIds,
  listSizeIds,
  setPictures,
  updateProduct
} from './queries.ts'
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

function toSize({ family, quantity, hiddenAt }: AdminProduct) {
  return [family?.id, quantity.value, quantity.unit, hiddenAt === null].join(' ')
}

/** Two pack sizes that shoppers see must differ. */
async function requireOwnSize(trx: Trx, product: AdminProduct) {
  if (product.hiddenAt === null && (await hasEqualSize(trx, product)))
    throw invalidField('quantity', ADMIN_MESSAGES.sizeExists)
}

/** The caller must raise the counter `catalog` first. */
export async function applyChange(
  trx: Trx,
  context: Edit,
  product: AdminProduct,
  { stock, ...fields }: ProductChange
): Promise<AdminProduct> {
  const changed = products.findChanged(product, fields)
  if (changed) await saveWithFamily(trx, context, product, changed)
  if (stock && stock.to !== toLimit(product)) await saveStock(trx, context, product, stock)
  return products.require(trx, product.id)
}

async function saveWithFamily(
  trx: Trx,
  context: Edit,
  product: AdminProduct,
  changed: Partial<ProductFields>
) {
  const { family = product.family } = changed
  const others = family ? (await listSizeIds(trx, family.id)).filter(id => id !== product.id) : []
  const joined = family && family.id !== product.family?.id ? others[0] : undefined
  const taken =
    joined === undefined ? {} : pickShared(toProductFields(await products.require(trx, joined)))
  await saveFields(trx, context, product, { ...taken, ...changed })
  for (const id of others)
    await saveFields(trx, context, await products.require(trx, id), pickShared(changed))
}

async function saveFields(
  trx: Trx,
  context: Edit,
  product: AdminProduct,
  fields: Partial<ProductFields>
) {
  const changed = products.findChanged(product, { ...fields, version: product.version })
  if (changed) await products.save(trx, context, product, changed)
}

async function saveStock(
  trx: Trx,
  { actor, at, action = 'changed' }: Edit,
  product: AdminProduct,
  change: StockChange
) {
  const { id, stock } = product
  const message = t('The stock has changed to {stock}. Please check it again.', { stock })
  if (!(await changeStock(trx, id, change))) throw new ShopError('EDIT_CONFLICT', { message })
  const before = { stock: toLimit(product) }
  await record(trx, { actor, at, kind: 'stock', id, action, before, after: { stock: change.to } })
}

function pickShared(fields: Partial<ProductFields>): Partial<ProductFields> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => SHARED_FIELDS.includes(name) && value !== undefined
    )
  )
}

/** Refuses `fields`, of which only `changed` are new. */
async function requireValid(
  trx: Trx,
  fields: Pick<ProductFields, 'pictures' | 'hidden' | 'price' | 'sale'>,
  changed: Partial<ProductFields>
) {
  if (!fields.hidden && fields.pictures.length === 0)
    throw invalidField('pictures', ADMIN_MESSAGES.productPictureMissing)
  if (!isSaleLower(fields)) throw invalidField('sale.price', ADMIN_MESSAGES.salePriceTooHigh)
  const { category } = changed
  if (category !== undefined && !(await listCategoryNames(trx)).includes(category))
    throw invalidField('category', ADMIN_MESSAGES.productCategoryInvalid)
}

type Prices = Pick<ProductFields, 'price' | 'sale'>

/** Throws VERIFICATION_REQUIRED for a sale price below half of the price. */
export function requireVerifiedSale({ price, sale }: Prices, { isVerified }: Editor): void {
  if (!isVerified && sale && sale.price * 2 < price) throw new ShopError('VERIFICATION_REQUIRED')
}

/** Throws VERIFICATION_REQUIRED below half of the highest price of the last day. */
export async function requireVerifiedPrices(
  db: Db,
  { id, price }: Pick<AdminProduct, 'id' | 'price'>,
  changed: Partial<Prices>,
  { at, isVerified }: Edit
): Promise<void> {
  const lowest = Math.min(changed.price ?? price, changed.sale?.price ?? price)
  if (isVerified || lowest >= price) return
  const since = toIso(Date.parse(at) - DAY)
  const earlier = await listReplacedValues(db, { kind: 'product', id, field: 'price', since })
  if (lowest * 2 < Math.max(price, ...earlier.map(Number)))
    throw new ShopError('VERIFICATION_REQUIRED')
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
  const created = changes.find(({ action }) => action === 'created')?.after?.['stock']
  const own = Object.entries(given).filter(
    ([name]) => sizeOf === undefined || !SHARED_FIELDS.includes(name)
  )
  return applyChange(trx, context, await products.require(trx, id), {
    ...Object.fromEntries(own),
    version: 1,
    ...(stock !== created && { stock: { from: Number(created), to: stock } })
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
  // A new family is named after its first product, unless a family has this name already.
  const family = product.family ?? {
    id: findFreeSlug(product.id, await listFamilyIds(trx, product.id)),
    position: 0
  }
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
