import { ADMIN_MESSAGES, stockConflict } from '#lib/admin/messages.ts'
import type { AdminProduct, ProductChange, ProductFields } from '#lib/contract/admin/products.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow, type Clock } from '../../clock.ts'
import type { Trx } from '../../db/tables.ts'
import type { Write } from '../../db/write.ts'
import { changeStock, findAnyProduct, setPictures, updateProduct } from '../../queries/admin/products.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { differing } from '../differing.ts'

export interface ProductDeps {
  write: Write
  clock: Clock
}

/**
 * Changes what is named of a product. The same change again is answered like the first. Throws ShopError
 * PRODUCT_NOT_FOUND, EDIT_CONFLICT, INVALID_INPUT.
 */
export function changeProduct(
  { write, clock }: ProductDeps,
  actor: Actor,
  id: string,
  change: ProductChange
): Promise<AdminProduct> {
  return write(async trx => {
    // The counter comes first: who changes the catalogue at the same time waits here, and then sees this change.
    await raiseCounter(trx, 'catalog')
    const product = await productOf(trx, id)
    return applyChange(trx, { actor, at: isoNow(clock) }, product, change)
  })
}

interface Occasion {
  actor: Actor
  at: string
  /** What is remembered as having been done; `changed` unless it says more. */
  what?: string
}

/** Inside a transaction that has raised the counter of the catalogue. */
export async function applyChange(
  trx: Trx,
  occasion: Occasion,
  product: AdminProduct,
  { version, stock, ...fields }: ProductChange
): Promise<AdminProduct> {
  const now = fieldsOf(product)
  const changed = differing(now, fields)
  if (Object.keys(changed).length > 0) {
    if (version !== product.version) throw new ShopError('EDIT_CONFLICT')
    await applyFields(trx, occasion, product, changed)
  }
  if (stock && stock.to !== product.stock) await applyStock(trx, occasion, product, stock)
  return productOf(trx, product.id)
}

/** Throws ShopError PRODUCT_NOT_FOUND. */
export async function productOf(trx: Trx, id: string): Promise<AdminProduct> {
  const product = await findAnyProduct(trx, id)
  if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
  return product
}

/** What the owner has typed of a product. */
export function fieldsOf(product: AdminProduct): ProductFields {
  const { name, nameTamil, description, price, category, dietary, ingredients, quantity, shelfLife } = product
  return {
    ...{ name, nameTamil, description, price, category, dietary, ingredients, shelfLife },
    quantity: { value: quantity.value, unit: quantity.unit as ProductFields['quantity']['unit'] },
    pictures: product.pictures.map(({ key, alt }) => ({ key, alt })),
    hidden: product.hiddenAt !== null
  }
}

/** Gives a product its pictures. Throws ShopError INVALID_INPUT. */
export async function putPictures(trx: Trx, id: string, pictures: ProductFields['pictures']): Promise<void> {
  if (!(await setPictures(trx, id, pictures))) throw wrong('pictures', ADMIN_MESSAGES.pictureUnknown)
}

/** A page without a picture can't be made. Throws ShopError INVALID_INPUT. */
export function expectPicture({ pictures, hidden }: Pick<ProductFields, 'pictures' | 'hidden'>): void {
  if (!hidden && pictures.length === 0) throw wrong('pictures', ADMIN_MESSAGES.pictureRequired)
}

async function applyFields(
  trx: Trx,
  { actor, at, what = 'changed' }: Occasion,
  product: AdminProduct,
  changed: Partial<ProductFields>
): Promise<void> {
  const before = fieldsOf(product)
  const after = { ...before, ...changed }
  expectPicture(after)
  await updateProduct(trx, product.id, changed, at)
  if (changed.pictures) await putPictures(trx, product.id, changed.pictures)
  const { hidden, ...others } = changed
  const about = { actor, at, kind: 'product', id: product.id } as const
  if (hidden !== undefined) {
    const sides = { before: { hidden: before.hidden }, after: { hidden } }
    await record(trx, { ...about, action: hidden ? 'hidden' : 'shown', ...sides })
  }
  if (Object.keys(others).length > 0) {
    await record(trx, { ...about, action: what, before, after: { ...after, hidden: before.hidden } })
  }
}

async function applyStock(
  trx: Trx,
  { actor, at, what = 'changed' }: Occasion,
  { id, stock }: AdminProduct,
  change: { from: number; to: number }
): Promise<void> {
  if (!(await changeStock(trx, id, change))) {
    throw new ShopError('EDIT_CONFLICT', { message: stockConflict(stock) })
  }
  const [before, after] = [{ stock: change.from }, { stock: change.to }]
  await record(trx, { actor, at, kind: 'stock', id, action: what, before, after })
}

function wrong(field: string, text: string): ShopError {
  return new ShopError('INVALID_INPUT', { fields: { [field]: text } })
}
