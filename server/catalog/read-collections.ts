import type { AdminCollection, Collection } from '#lib/contract/collections.ts'
import { groupBy } from '#lib/group-by.ts'
import type { CollectionRow } from '../platform/db/catalog-tables.ts'
import type { Db } from '../platform/db/tables.ts'
import { JOINED_COLUMNS, type JoinedPicture, toPicture } from './pictures.ts'

/** Leaves out hidden collections, hidden products, and collections without products. */
export async function listCollections(db: Db): Promise<Collection[]> {
  const rows = await selectCollections(db).where('hidden_at', 'is', null).execute()
  const products = groupBy(
    await selectProducts(db).where('products.hidden_at', 'is', null).execute(),
    row => row.collection_id
  )
  return rows
    .map(row => toCollection(row, products.get(row.id) ?? []))
    .filter(collection => collection.products.length > 0)
}

export async function listAllCollections(db: Db): Promise<AdminCollection[]> {
  const rows = await selectCollections(db).execute()
  const products = groupBy(await selectProducts(db).execute(), row => row.collection_id)
  return rows.map(row => ({
    ...toCollection(row, products.get(row.id) ?? []),
    version: row.version,
    hiddenAt: row.hidden_at
  }))
}

function selectCollections(db: Db) {
  return db
    .selectFrom('collections')
    .selectAll('collections')
    .leftJoin('pictures', 'pictures.key', 'collections.picture_key')
    .select(JOINED_COLUMNS)
    .orderBy('position')
    .orderBy('id')
}

function selectProducts(db: Db) {
  return db
    .selectFrom('collection_products')
    .innerJoin('products', 'products.id', 'collection_products.product_id')
    .select(['collection_id', 'product_id'])
    .orderBy('collection_products.position')
    .orderBy('product_id')
}

function toCollection(
  row: CollectionRow & JoinedPicture,
  products: readonly { product_id: string }[]
): Collection {
  const picture = toPicture(row)
  return {
    id: row.id,
    name: row.name,
    nameTamil: row.name_tamil,
    description: row.description,
    ...(picture && { picture }),
    products: products.map(({ product_id }) => product_id)
  }
}

export async function collectionsByProduct(db: Db, id?: string): Promise<Map<string, string[]>> {
  const all = db.selectFrom('collection_products').select(['product_id', 'collection_id'])
  const rows = await (id === undefined ? all : all.where('product_id', '=', id))
    .orderBy('collection_id')
    .execute()
  const groups = groupBy(rows, ({ product_id }) => product_id)
  return new Map(
    [...groups].map(
      ([product, group]) => [product, group.map(({ collection_id }) => collection_id)] as const
    )
  )
}
