import type { Updateable } from 'kysely'
import type { CollectionFields } from '#lib/contract/collections.ts'
import type { IsoTime } from '#lib/time.ts'
import type { CollectionRow } from '../platform/db/catalog-tables.ts'
import type { Tables, Trx } from '../platform/db/tables.ts'
import { collectionsByProduct } from './read-collections.ts'

/** The new collection is the last one. */
export async function insertCollection(
  trx: Trx,
  { id, key, ...fields }: CollectionFields & { id: string; key: string },
  now: string
): Promise<void> {
  const { last } = await trx
    .selectFrom('collections')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  const values = { id, creation_key: key, position: Number(last ?? -1) + 1 }
  await trx
    .insertInto('collections')
    .values({ ...values, ...(columnsOf(fields, now) as Omit<CollectionRow, keyof typeof values>) })
    .execute()
}

export async function updateCollection(
  trx: Trx,
  id: string,
  fields: Partial<CollectionFields> & { position?: number },
  now: IsoTime
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('collections')
    .set(columnsOf(fields, now))
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function columnsOf(
  { name, nameTamil, description, picture, hidden, position }: Partial<CollectionFields> & { position?: number },
  now: string
): Updateable<Tables['collections']> {
  return {
    ...(name !== undefined && { name }),
    ...(nameTamil !== undefined && { name_tamil: nameTamil }),
    ...(description !== undefined && { description }),
    ...(picture !== undefined && { picture_key: picture?.key ?? null }),
    ...(hidden !== undefined && { hidden_at: hidden ? now : null }),
    ...(position !== undefined && { position })
  }
}

/** Returns false if one of the products does not exist. */
export async function setProducts(trx: Trx, collection: string, products: readonly string[]): Promise<boolean> {
  await trx.deleteFrom('collection_products').where('collection_id', '=', collection).execute()
  if (products.length === 0) return true
  const known = await trx.selectFrom('products').select('id').where('id', 'in', products).execute()
  if (known.length < products.length) return false
  await trx
    .insertInto('collection_products')
    .values(products.map((id, position) => ({ collection_id: collection, product_id: id, position })))
    .execute()
  return true
}

/** Adds the product at the end of the collections that do not contain it yet. Returns false if one does not exist. */
export async function setCollections(trx: Trx, product: string, collections: readonly string[]): Promise<boolean> {
  const before = (await collectionsByProduct(trx, product)).get(product) ?? []
  for (const id of before.filter(known => !collections.includes(known))) {
    await trx
      .deleteFrom('collection_products')
      .where('collection_id', '=', id)
      .where('product_id', '=', product)
      .execute()
    await updateCollection(trx, id, {}, '')
  }
  for (const id of collections.filter(name => !before.includes(name))) {
    if (!(await updateCollection(trx, id, {}, ''))) return false
    const { last } = await trx
      .selectFrom('collection_products')
      .select(({ fn }) => fn.max('position').as('last'))
      .where('collection_id', '=', id)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('collection_products')
      .values({ collection_id: id, product_id: product, position: Number(last ?? -1) + 1 })
      .execute()
  }
  return true
}
