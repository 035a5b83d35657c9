import type { Product } from '#lib/contract/catalog.ts'
import type { Picture } from '#lib/contract/values.ts'
import { toRupees } from '#lib/money.ts'
import type { Db, PictureRow, ProductRow } from '../platform/db/tables.ts'

export async function listProducts(db: Db): Promise<Product[]> {
  const rows = await db
    .selectFrom('products')
    .selectAll()
    .where('hidden_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const pictures = await picturesByProduct(db)
  return rows.map(row => toProduct(row, pictures.get(row.id) ?? []))
}

export async function picturesByProduct(db: Db, id?: string): Promise<Map<string, Picture[]>> {
  const all = db
    .selectFrom('product_pictures')
    .innerJoin('pictures', 'pictures.key', 'product_pictures.picture_key')
    .select(['product_id', 'key', 'width', 'height', 'alt', 'color'])
  const selected = id === undefined ? all : all.where('product_id', '=', id)
  const rows = await selected.orderBy('product_id').orderBy('position').execute()
  const pictures = new Map<string, Picture[]>()
  for (const { product_id, ...picture } of rows) {
    pictures.set(product_id, [...(pictures.get(product_id) ?? []), picture])
  }
  return pictures
}

export function toProduct(row: ProductRow, pictures: Picture[]): Product {
  const [image = '', ...extraImages] = pictures.map(fallbackFile)
  return {
    _id: row.id,
    id: row.id,
    name: row.name,
    nameTamil: row.name_tamil,
    description: row.description,
    price: toRupees(row.price),
    image,
    extraImages,
    pictures,
    category: row.category,
    dietary: row.dietary,
    rating: row.rating / 10,
    stock: row.stock,
    ingredients: JSON.parse(row.ingredients) as string[],
    quantity: { value: row.pack_value, unit: row.pack_unit, type: row.pack_type },
    shelfLife: row.shelf_life
  }
}

export function fallbackFile({ key }: Pick<PictureRow, 'key'>): string {
  return `${key}.jpg`
}

export async function listProductIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('products').select('id').where('hidden_at', 'is', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}
