import { t } from '#lib/contract/texts.ts'
import type { Selectable, UpdateObject } from 'kysely'
import type { AdminProduct, PictureUse, ProductFields, StockChange } from '#lib/contract/catalog.ts'
import type { IsoTime } from '#lib/time.ts'
import { PACK_TYPES } from '#lib/constants.ts'
import { fromRupees } from '#lib/money.ts'
import { countRows } from '../platform/db/search.ts'
import type {
  Editable,
  FamilyColumns,
  KitchenColumns,
  ProductRow,
  Tables,
  Trx
} from '../platform/db/tables.ts'
import { hasWritten } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { describePicture } from './pictures.ts'

type NewProduct = Omit<ProductFields, 'pictures' | 'collections'> & {
  id: string
  /** Null: cooked to order. */
  stock: number | null
  key: string
  createdAt: string
}

export async function insertProduct(
  trx: Trx,
  { id, stock, key, createdAt, ...fields }: NewProduct
): Promise<void> {
  const values = {
    id,
    ...stockColumns(stock, 0),
    rating: 0,
    creation_key: key,
    created_at: createdAt
  }
  await trx
    .insertInto('products')
    .values({
      ...values,
      ...(toColumns(fields, createdAt) as Omit<ProductRow, keyof typeof values>)
    })
    .execute()
}

/** The statement has one parameter per name, so pass a batch of names at most. */
export async function listIdsByName(trx: Trx, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await trx.selectFrom('products').select('id').where('name', 'in', names).execute()
  return rows.map(({ id }) => id)
}

export async function updateProduct(
  trx: Trx,
  id: string,
  fields: Partial<ProductFields>,
  now: IsoTime
): Promise<void> {
  await trx
    .updateTable('products')
    .set(toColumns(fields, now))
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function changeStock(
  trx: Trx,
  id: string,
  { from, to }: StockChange
): Promise<boolean> {
  const update = trx.updateTable('products').set(stockColumns(to, from))
  return hasWritten(update.where('id', '=', id).where('stock', '=', from))
}

function stockColumns(stock: number | null, kept: number) {
  return { stock: stock ?? kept, cooked_to_order: stock === null ? 1 : 0 }
}

export async function setPictures(
  trx: Trx,
  id: string,
  pictures: readonly PictureUse[]
): Promise<void> {
  await trx.deleteFrom('product_pictures').where('product_id', '=', id).execute()
  if (pictures.length === 0) return
  const keys = pictures.map(({ key }) => key)
  const known = await trx.selectFrom('pictures').select('key').where('key', 'in', keys).execute()
  if (known.length < keys.length)
    throw invalidField('pictures', t('One of the pictures was not found. Please add it again.'))
  await trx
    .insertInto('product_pictures')
    .values(keys.map((key, position) => ({ product_id: id, position, picture_key: key })))
    .execute()
  for (const picture of pictures) await describePicture(trx, picture)
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

export async function listFamilyIds(trx: Trx, prefix: string): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('products')
    .select('family_id')
    .distinct()
    .where('family_id', 'like', `${prefix}%`)
    .execute()
  return new Set(rows.flatMap(({ family_id }) => family_id ?? []))
}

export async function hasEqualSize(
  trx: Trx,
  { id, family, quantity }: AdminProduct
): Promise<boolean> {
  if (!family) return false
  const equal = trx
    .selectFrom('products')
    .where('family_id', '=', family.id)
    .where('id', '!=', id)
    .where('pack_value', '=', quantity.value)
    .where('pack_unit', '=', quantity.unit)
    .where('hidden_at', 'is', null)
  return (await countRows(equal)) > 0
}

export type StoredProduct = ProductRow &
  Selectable<FamilyColumns & KitchenColumns & Pick<Editable, 'translations'>>

/** Fields that are stored as they are, and their columns. */
const COLUMNS = {
  name: 'name',
  nameTamil: 'name_tamil',
  description: 'description',
  category: 'category',
  dietary: 'dietary',
  shelfLife: 'shelf_life',
  shelfLifeDays: 'shelf_life_days',
  kitchenUnits: 'kitchen_units',
  extraLeadDays: 'extra_lead_days',
  allergens: 'allergens',
  nutrition: 'nutrition'
} as const
const PAIRS = Object.entries(COLUMNS)
type PlainFields = {
  [Field in keyof typeof COLUMNS]: StoredProduct[(typeof COLUMNS)[Field]]
}

export function readPlainFields(row: StoredProduct): PlainFields {
  return Object.fromEntries(PAIRS.map(([field, column]) => [field, row[column]])) as PlainFields
}

/** Kysely leaves out columns whose value is undefined. */
export function toColumns(
  fields: Partial<ProductFields>,
  now: IsoTime
): UpdateObject<Tables, 'products'> {
  const { price, ingredients, quantity, localOnly, sale, hidden, family, translations } = fields
  const plain = PAIRS.map(([field, column]) => [column, fields[field as keyof PlainFields]])
  return {
    ...(Object.fromEntries(plain) as UpdateObject<Tables, 'products'>),
    ...(price !== undefined && { price: fromRupees(price) }),
    ingredients: ingredients && JSON.stringify(ingredients),
    translations: translations && JSON.stringify(translations),
    pack_value: quantity?.value,
    pack_unit: quantity?.unit,
    pack_type: quantity && PACK_TYPES[quantity.unit],
    ...(localOnly !== undefined && { local_only: localOnly ? 1 : 0 }),
    ...(sale !== undefined && {
      sale_price: sale && fromRupees(sale.price),
      sale_from: sale?.from ?? null,
      sale_until: sale?.until ?? null
    }),
    ...(hidden !== undefined && { hidden_at: hidden ? now : null }),
    ...(family !== undefined && {
      family_id: family?.id ?? null,
      family_position: family?.position ?? 0
    })
  }
}
