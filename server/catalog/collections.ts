import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { UpdateObject } from 'kysely'
import * as z from 'zod/mini'
import { toCollectionFields } from '#lib/admin/content-forms.ts'
import { ADMIN_MESSAGES, deletedText } from '#lib/admin/messages.ts'
import { COLLECTION_LIMITS } from '#lib/constants.ts'
import {
  AdminCollection,
  CollectionChange,
  CollectionDraft,
  CollectionOrder,
  type Collection,
  type CollectionFields
} from '#lib/contract/collections.ts'
import { type IsoTime, isoNow } from '#lib/time.ts'
import { groupBy } from '#lib/group-by.ts'
import { record } from '../accounts/audit.ts'
import {
  recordRoutes,
  removalRoute,
  toEditor,
  type Editor,
  findFreeId,
  Records,
  requireSameIds,
  toTranslations
} from '../accounts/records.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { CollectionRow, Db, Tables, Trx } from '../platform/db/tables.ts'
import { hasWritten, type DataDeps } from '../platform/db/write.ts'
import { invalidField, route } from '../platform/http/validate.ts'
import { describePicture, JOINED_COLUMNS, type JoinedPicture, toPicture } from './pictures.ts'

export const collections = new Records<AdminCollection, CollectionFields>({
  kind: 'collection',
  table: 'collections',
  notFound: 'COLLECTION_NOT_FOUND',
  lock: trx => raiseCounter(trx, 'catalog'),
  find: async (db, id) => (await listAllCollections(db)).find(known => known.id === id),
  fieldsOf: toCollectionFields,
  save: async (trx, { at }, { id }, changed) => {
    await requirePicture(trx, changed)
    await updateCollection(trx, id, changed, at)
    if (changed.products) await setProducts(trx, id, changed.products)
  }
})

export const collectionRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/collections',
    route('List all collections, including hidden ones', z.array(AdminCollection)),
    () => listAllCollections(app.database.kysely)
  )

  recordRoutes(app, {
    noun: 'collection',
    records: collections,
    item: AdminCollection,
    draft: CollectionDraft,
    change: CollectionChange,
    create: (editor, draft) => createCollection(app, editor, draft)
  })
  removalRoute(app, 'collection', async (editor, id, version) => {
    const { name } = await collections.remove(app, editor, id, version)
    return deletedText(name)
  })

  app.put(
    '/collections/order',
    route('Change the order of the collections', z.array(AdminCollection), {
      body: CollectionOrder
    }),
    request => orderCollections(app, toEditor(request), request.body)
  )
}

function createCollection(
  deps: DataDeps,
  editor: Editor,
  draft: CollectionDraft
): Promise<{ item: AdminCollection; isNew: boolean }> {
  return collections.create(deps, editor, draft, async (trx, { at }, { key, ...fields }) => {
    if ((await listAllCollections(trx)).length >= COLLECTION_LIMITS.collections)
      throw invalidField('name', ADMIN_MESSAGES.listTooLong)
    const id = await findFreeId(trx, 'collections', fields.name)
    await requirePicture(trx, fields)
    const { last } = await trx
      .selectFrom('collections')
      .select(({ fn }) => fn.max('position').as('last'))
      .executeTakeFirstOrThrow()
    const values = { id, creation_key: key, position: Number(last ?? -1) + 1 }
    const columns = columnsOf(fields, at) as Omit<CollectionRow, keyof typeof values>
    await trx
      .insertInto('collections')
      .values({ ...columns, ...values })
      .execute()
    await setProducts(trx, id, fields.products)
    return id
  })
}

async function requirePicture(trx: Trx, { picture }: Partial<CollectionFields>) {
  if (picture && !(await describePicture(trx, picture)))
    throw invalidField('picture', ADMIN_MESSAGES.pictureUnknown)
}

function orderCollections(
  { write, clock }: DataDeps,
  { actor }: Editor,
  { ids }: CollectionOrder
): Promise<AdminCollection[]> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const before = (await listAllCollections(trx)).map(({ id }) => id)
    requireSameIds(ids, before)
    const at = isoNow(clock)
    for (const [position, id] of ids.entries()) {
      if (before[position] === id) continue
      await updateCollection(trx, id, { position }, at)
      const entry = { actor, at, kind: 'collection', id, action: 'changed' } as const
      const [from, to] = [before.indexOf(id) + 1, position + 1]
      await record(trx, { ...entry, before: { position: from }, after: { position: to } })
    }
    return listAllCollections(trx)
  })
}

type Changes = Partial<CollectionFields> & { position?: number }

async function updateCollection(trx: Trx, id: string, fields: Changes, now: IsoTime) {
  const update = trx
    .updateTable('collections')
    .set(columnsOf(fields, now))
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
  return hasWritten(update)
}

function columnsOf(
  { name, nameTamil, description, picture, hidden, position, translations }: Changes,
  now: IsoTime
): UpdateObject<Tables, 'collections'> {
  return {
    ...{ name, name_tamil: nameTamil, description, position },
    translations: translations && JSON.stringify(translations),
    ...(picture !== undefined && { picture_key: picture?.key ?? null }),
    ...(hidden !== undefined && { hidden_at: hidden ? now : null })
  }
}

async function setProducts(trx: Trx, collection: string, products: readonly string[]) {
  await trx.deleteFrom('collection_products').where('collection_id', '=', collection).execute()
  if (products.length === 0) return
  const known = await trx.selectFrom('products').select('id').where('id', 'in', products).execute()
  if (known.length < products.length)
    throw invalidField('products', ADMIN_MESSAGES.productIdUnknown)
  const rows = products.map((product_id, position) => ({
    collection_id: collection,
    product_id,
    position
  }))
  await trx.insertInto('collection_products').values(rows).execute()
}

/** Adds the product at the end of collections. Throws INVALID_INPUT for an unknown one. */
export async function setCollections(
  trx: Trx,
  product: string,
  collections: readonly string[]
): Promise<void> {
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
    if (!(await updateCollection(trx, id, {}, '')))
      throw invalidField('collections', ADMIN_MESSAGES.collectionUnknown)
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
}

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
  row: CollectionRow & JoinedPicture & { translations: string },
  products: readonly { product_id: string }[]
): Collection {
  const picture = toPicture(row)
  return {
    id: row.id,
    name: row.name,
    nameTamil: row.name_tamil,
    description: row.description,
    ...(picture && { picture }),
    products: products.map(({ product_id }) => product_id),
    ...toTranslations<Collection>(row)
  }
}

export async function collectionsByProduct(db: Db, id?: string): Promise<Map<string, string[]>> {
  const all = db.selectFrom('collection_products').select(['product_id', 'collection_id'])
  const selected = id === undefined ? all : all.where('product_id', '=', id)
  const rows = await selected.orderBy('collection_id').execute()
  const found = new Map<string, string[]>()
  for (const row of rows)
    found.set(row.product_id, [...(found.get(row.product_id) ?? []), row.collection_id])
  return found
}
