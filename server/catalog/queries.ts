import type { Updateable } from 'kysely'
import { PACK_TYPES } from '#lib/constants.ts'
import type { PictureUse, ProductFields } from '#lib/contract/catalog.ts'
import type { Picture } from '#lib/contract/values.ts'
import { fromRupees } from '#lib/money.ts'
import type { IsoTime } from '#lib/time.ts'
import { countRows } from '../platform/db/search.ts'
import type { ProductRow } from '../platform/db/catalog-tables.ts'
import type { Tables, Trx } from '../platform/db/tables.ts'

type NewProduct = Omit<ProductFields, 'pictures' | 'collections'> & {
  id: string
  stock: number
  key: string
  createdAt: string
}

export async function insertProduct(trx: Trx, { id, stock, key, createdAt, ...fields }: NewProduct): Promise<void> {
  const values = { id, stock, rating: 0, creation_key: key, created_at: createdAt }
  await trx
    .insertInto('products')
    .values({ ...values, ...(columnsOf(fields, createdAt) as Omit<ProductRow, keyof typeof values>) })
    .execute()
}

/** The statement has one parameter per name, so pass a batch of names at most. */
export async function listIdsByName(trx: Trx, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await trx.selectFrom('products').select('id').where('name', 'in', names).execute()
  return rows.map(({ id }) => id)
}

export async function updateProduct(trx: Trx, id: string, fields: Partial<ProductFields>, now: IsoTime): Promise<void> {
  await trx
    .updateTable('products')
    .set(columnsOf(fields, now))
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function changeStock(trx: Trx, id: string, { from, to }: { from: number; to: number }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('products')
    .set({ stock: to })
    .where('id', '=', id)
    .where('stock', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function setPictures(trx: Trx, id: string, pictures: readonly PictureUse[]): Promise<boolean> {
  await trx.deleteFrom('product_pictures').where('product_id', '=', id).execute()
  if (pictures.length === 0) return true
  const keys = pictures.map(({ key }) => key)
  const known = await trx.selectFrom('pictures').select('key').where('key', 'in', keys).execute()
  if (known.length < keys.length) return false
  await trx
    .insertInto('product_pictures')
    .values(keys.map((key, position) => ({ product_id: id, position, picture_key: key })))
    .execute()
  for (const picture of pictures) await describePicture(trx, picture)
  return true
}

/** Returns false if the picture does not exist. A picture with a name keeps its description. */
export async function describePicture(trx: Trx, { key, alt }: PictureUse): Promise<boolean> {
  await trx.updateTable('pictures').set({ alt }).where('key', '=', key).where('name', 'is', null).execute()
  return (await countRows(trx.selectFrom('pictures').where('key', '=', key))) > 0
}

export async function savePicture(trx: Trx, picture: Picture): Promise<Picture> {
  await trx
    .insertInto('pictures')
    .values({ ...picture, name: null })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
  return trx
    .selectFrom('pictures')
    .select(['key', 'width', 'height', 'alt', 'color'])
    .where('key', '=', picture.key)
    .executeTakeFirstOrThrow()
}

function columnsOf(fields: Partial<ProductFields>, now: string): Updateable<Tables['products']> {
  const { name, nameTamil, description, price, category, dietary, ingredients, quantity, shelfLife, hidden } = fields
  const { family, sale, shelfLifeDays, kitchenUnits, extraLeadDays, localOnly, allergens, nutrition } = fields
  return {
    ...(name !== undefined && { name }),
    ...(nameTamil !== undefined && { name_tamil: nameTamil }),
    ...(description !== undefined && { description }),
    ...(price !== undefined && { price: fromRupees(price) }),
    ...(category !== undefined && { category }),
    ...(dietary !== undefined && { dietary }),
    ...(ingredients !== undefined && { ingredients: JSON.stringify(ingredients) }),
    ...(quantity !== undefined && {
      pack_value: quantity.value,
      pack_unit: quantity.unit,
      pack_type: PACK_TYPES[quantity.unit]
    }),
    ...(shelfLife !== undefined && { shelf_life: shelfLife }),
    ...(shelfLifeDays !== undefined && { shelf_life_days: shelfLifeDays }),
    ...(kitchenUnits !== undefined && { kitchen_units: kitchenUnits }),
    ...(extraLeadDays !== undefined && { extra_lead_days: extraLeadDays }),
    ...(localOnly !== undefined && { local_only: localOnly ? 1 : 0 }),
    ...(allergens !== undefined && { allergens }),
    ...(nutrition !== undefined && { nutrition }),
    ...(sale !== undefined && {
      sale_price: sale && fromRupees(sale.price),
      sale_from: sale?.from ?? null,
      sale_until: sale?.until ?? null
    }),
    ...(hidden !== undefined && { hidden_at: hidden ? now : null }),
    ...(family !== undefined && { family_id: family?.id ?? null, family_position: family?.position ?? 0 })
  }
}
