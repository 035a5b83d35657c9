import { sql, type ExpressionBuilder } from 'kysely'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { AdminProduct, Product } from '#lib/contract/catalog.ts'
import type { Picture } from '#lib/contract/values.ts'
import { MAX_CART_QUANTITY } from '#lib/constants.ts'
import { language } from '#lib/contract/texts.ts'
import { toFallbackFile } from '#lib/images.ts'
import { localize } from '#lib/localize.ts'
import { toRupees, type Paise } from '#lib/money.ts'
import type { IsoTime } from '#lib/time.ts'
import type { Db, Tables, ProductRow, SaleColumns } from '../platform/db/tables.ts'
import { toTranslations } from '../accounts/records.ts'
import { readPlainFields, type StoredProduct } from './queries.ts'
import { collectionsByProduct } from './collections.ts'
import { PICTURE_COLUMNS, readPicture } from './pictures.ts'

export async function listProducts(db: Db, now: IsoTime): Promise<Product[]> {
  const rows = await db
    .selectFrom('products')
    .selectAll()
    .where('hidden_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const pictures = await picturesByProduct(db)
  return rows.map(row => ({
    ...toProduct(row, pictures.get(row.id) ?? []),
    ...toSalePrices(row, now)
  }))
}

function toSalePrices(
  row: ProductRow & SaleColumns,
  now: string
): Partial<Pick<Product, 'price' | 'listPrice' | 'saleTime'>> {
  const salePrice = findSalePrice(row, now)
  if (salePrice === undefined || salePrice >= row.price) return {}
  const { from, until } = toSale(row) ?? {}
  return {
    price: toRupees(salePrice),
    listPrice: toRupees(row.price),
    ...(from !== undefined && until !== undefined && { saleTime: { from, until } })
  }
}

async function picturesByProduct(db: Db, id?: string): Promise<Map<string, Picture[]>> {
  const all = db
    .selectFrom('product_pictures')
    .innerJoin('pictures', 'pictures.key', 'product_pictures.picture_key')
    .select('product_id')
    .select(PICTURE_COLUMNS)
  const selected = id === undefined ? all : all.where('product_id', '=', id)
  const rows = await selected.orderBy('product_id').orderBy('position').execute()
  const pictures = new Map<string, Picture[]>()
  for (const { product_id, ...picture } of rows)
    pictures.set(product_id, [...(pictures.get(product_id) ?? []), readPicture(picture)])
  return pictures
}

function toProduct(row: StoredProduct, pictures: Picture[]): Product {
  const [image = '', ...extraImages] = pictures.map(toFallbackFile)
  const { kitchenUnits: _, ...plain } = readPlainFields(row)
  const { allergens, nutrition, extraLeadDays, ...shown } = plain
  return {
    _id: row.id,
    id: row.id,
    ...shown,
    price: toRupees(row.price),
    image,
    extraImages,
    pictures,
    rating: row.rating / 10,
    stock: row.cooked_to_order === 1 ? MAX_CART_QUANTITY : row.stock,
    ...(row.cooked_to_order === 1 && { cookedToOrder: true }),
    ingredients: JSON.parse(row.ingredients) as string[],
    quantity: { value: row.pack_value, unit: row.pack_unit, type: row.pack_type },
    ...(allergens !== '' && { allergens }),
    ...(nutrition !== '' && { nutrition }),
    ...(row.local_only === 1 && { localOnly: true }),
    ...(extraLeadDays > 0 && { extraLeadDays }),
    ...toTranslations<Product>(row),
    ...(row.family_id !== null && { family: { id: row.family_id, position: row.family_position } })
  }
}

export function findSalePrice(
  { sale_price, sale_from, sale_until }: SaleColumns,
  now: IsoTime
): Paise | undefined {
  const isRunning = (sale_from ?? '') <= now && (sale_until === null || sale_until > now)
  return isRunning ? (sale_price ?? undefined) : undefined
}

function toSale({ sale_price, sale_from, sale_until }: SaleColumns): AdminProduct['sale'] {
  if (sale_price === null || sale_from === null || sale_until === null) return null
  return { price: toRupees(sale_price), from: sale_from, until: sale_until }
}

export async function listProductIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('products')
    .select('id')
    .where('hidden_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function listAllProducts(db: Db): Promise<AdminProduct[]> {
  const rows = await selectProducts(db)
    .orderBy('name')
    .orderBy('family_position')
    .orderBy('id')
    .execute()
  // On SQLite, reading thousands of products blocks the process.
  await yieldToEventLoop()
  const [pictures, collections] = [await picturesByProduct(db), await collectionsByProduct(db)]
  return rows.map(row =>
    toAdminProduct(row, pictures.get(row.id) ?? [], collections.get(row.id) ?? [])
  )
}

export async function findAnyProduct(db: Db, id: string): Promise<AdminProduct | undefined> {
  const row = await selectProducts(db).where('products.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const pictures = (await picturesByProduct(db, id)).get(id) ?? []
  return toAdminProduct(row, pictures, (await collectionsByProduct(db, id)).get(id) ?? [])
}

function selectProducts(db: Db) {
  return db.selectFrom('products').selectAll('products').select([isReferredColumn, waitingColumn])
}

function isReferredColumn(row: ExpressionBuilder<Tables, 'products'>) {
  const tables = ['deals', 'order_lines', 'removed_lines'] as const
  const isReferenced = row.or(
    tables.map(table =>
      row.exists(
        row
          .selectFrom(table)
          .select('product_id')
          .whereRef(`${table}.product_id`, '=', 'products.id')
      )
    )
  )
  const referred = row
    .case()
    .when(isReferenced)
    .then(sql<number>`1`)
    .else(sql<number>`0`)
  return referred.end().as('referred')
}

function waitingColumn(row: ExpressionBuilder<Tables, 'products'>) {
  const alerts = row
    .selectFrom('stock_alerts')
    .whereRef('stock_alerts.product_id', '=', 'products.id')
  return alerts.select(({ fn }) => fn.countAll<number>().as('count')).as('waiting')
}

type AdminProductRow = Awaited<
  ReturnType<ReturnType<typeof selectProducts>['executeTakeFirstOrThrow']>
>

function toAdminProduct(
  row: AdminProductRow,
  pictures: Picture[],
  collections: string[]
): AdminProduct {
  return {
    ...toProduct(row, pictures),
    stock: row.stock,
    sale: toSale(row),
    version: row.version,
    hiddenAt: row.hidden_at,
    createdAt: row.created_at,
    collections,
    isReferred: row.referred === 1,
    waiting: Number(row.waiting),
    kitchenUnits: row.kitchen_units
  }
}

export const NAME_COLUMNS = ['name', 'name_tamil', 'translations'] as const

/** In the language of the request or mail. */
export function localNameOf({
  name,
  name_tamil: nameTamil,
  translations
}: Pick<StoredProduct, (typeof NAME_COLUMNS)[number]>): string {
  return localize({ name, nameTamil, ...toTranslations({ translations }) }, language()).name
}
