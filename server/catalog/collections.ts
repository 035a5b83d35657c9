import type { UpdateObject } from 'kysely'
import { extractCollectionFields } from '#lib/admin/collection-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { COLLECTION_LIMITS } from '#lib/constants.ts'
import type {
  AdminCollection,
  CollectionChange,
  CollectionDraft,
  CollectionFields,
  CollectionOrder
} from '#lib/contract/collections.ts'
import { ShopError } from '#lib/errors.ts'
import { findFreeSlug, toSlug } from '#lib/paths.ts'
import type { IsoTime } from '#lib/time.ts'
import { type Actor, type Change, changedFields, record, recordEdit } from '../accounts/audit.ts'
import type { CollectionRow } from '../platform/db/catalog-tables.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findIdByKey, listIdsByPrefix } from '../platform/db/search.ts'
import type { Db, Tables, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { describePicture } from './pictures.ts'
import { collectionsByProduct, listAllCollections } from './read-collections.ts'
import { ADMIN_FIELD_TEXTS } from '#lib/contract/field-texts.ts'

type ChangeContext = Pick<Change, 'actor' | 'at'>

/** Omitted fields stay unchanged. Throws COLLECTION_NOT_FOUND, EDIT_CONFLICT, INVALID_INPUT. */
export function changeCollection(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  change: CollectionChange
): Promise<AdminCollection> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    return applyChange(trx, { actor, at: isoNow(clock) }, await requireCollection(trx, id), change)
  })
}

async function applyChange(
  trx: Trx,
  { actor, at }: ChangeContext,
  collection: AdminCollection,
  { version, ...fields }: CollectionChange
): Promise<AdminCollection> {
  const { id } = collection
  const before = extractCollectionFields(collection)
  const changed = changedFields(before, fields)
  if (Object.keys(changed).length === 0) return collection
  if (version !== collection.version) throw new ShopError('EDIT_CONFLICT')
  await requirePicture(trx, changed)
  await updateCollection(trx, id, changed, at)
  if (changed.products) await setProducts(trx, id, changed.products)
  await recordEdit(trx, { actor, at, kind: 'collection', id, action: 'changed' }, before, changed)
  return requireCollection(trx, id)
}

async function requirePicture(trx: Trx, { picture }: Partial<CollectionFields>): Promise<void> {
  if (picture && !(await describePicture(trx, picture)))
    throw invalidField('picture', ADMIN_MESSAGES.pictureUnknown)
}

/** Throws COLLECTION_NOT_FOUND. */
export async function requireCollection(db: Db, id: string): Promise<AdminCollection> {
  const collection = (await listAllCollections(db)).find(known => known.id === id)
  if (!collection) throw new ShopError('COLLECTION_NOT_FOUND')
  return collection
}

/**
 * If a collection with this `draft.key` already exists, changes that one. Throws INVALID_INPUT,
 * EDIT_CONFLICT.
 */
export function createCollection(
  { write, clock }: DataDeps,
  actor: Actor,
  { key, ...fields }: CollectionDraft
): Promise<{ collection: AdminCollection; isNew: boolean }> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const at = isoNow(clock)
    const existingId = await findIdByKey(trx, 'collections', key)
    if (existingId !== undefined) {
      const collection = await requireCollection(trx, existingId)
      // An earlier submit of this form created version 1. If somebody has edited it since, this
      // throws EDIT_CONFLICT.
      return {
        collection: await applyChange(trx, { actor, at }, collection, { ...fields, version: 1 }),
        isNew: false
      }
    }
    const all = await listAllCollections(trx)
    if (all.length >= COLLECTION_LIMITS.collections)
      throw invalidField('name', ADMIN_FIELD_TEXTS.listTooLong)
    const slug = toSlug(fields.name, 'collection')
    const id = findFreeSlug(slug, await listIdsByPrefix(trx, 'collections', slug))
    await requirePicture(trx, fields)
    await insertCollection(trx, { ...fields, id, key }, at)
    await setProducts(trx, id, fields.products)
    await record(trx, { actor, at, kind: 'collection', id, action: 'created', after: fields })
    return { collection: await requireCollection(trx, id), isNew: true }
  })
}

/** Throws EDIT_CONFLICT if `ids` are not those of all collections. */
export function orderCollections(
  { write, clock }: DataDeps,
  actor: Actor,
  { ids }: CollectionOrder
): Promise<AdminCollection[]> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const before = (await listAllCollections(trx)).map(({ id }) => id)
    if (ids.toSorted().join() !== before.toSorted().join()) throw new ShopError('EDIT_CONFLICT')
    const at = isoNow(clock)
    for (const [position, id] of ids.entries()) {
      if (before[position] === id) continue
      await updateCollection(trx, id, { position }, at)
      const positions = {
        before: { position: before.indexOf(id) + 1 },
        after: { position: position + 1 }
      }
      await record(trx, { actor, at, kind: 'collection', id, action: 'changed', ...positions })
    }
    return listAllCollections(trx)
  })
}

/**
 * Returns the deleted collection. Its products stay. Throws COLLECTION_NOT_FOUND, EDIT_CONFLICT.
 */
export function removeCollection(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  version: number
): Promise<AdminCollection> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const collection = await requireCollection(trx, id)
    if (version !== collection.version) throw new ShopError('EDIT_CONFLICT')
    await trx.deleteFrom('collections').where('id', '=', id).execute()
    const before = extractCollectionFields(collection)
    await record(trx, {
      actor,
      at: isoNow(clock),
      kind: 'collection',
      id,
      action: 'deleted',
      before
    })
    return collection
  })
}

async function insertCollection(
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
    .values({ ...(columnsOf(fields, now) as Omit<CollectionRow, keyof typeof values>), ...values })
    .execute()
}

async function updateCollection(
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
  {
    name,
    nameTamil,
    description,
    picture,
    hidden,
    position
  }: Partial<CollectionFields> & { position?: number },
  now: string
): UpdateObject<Tables, 'collections'> {
  return {
    name,
    name_tamil: nameTamil,
    description,
    position,
    ...(picture !== undefined && { picture_key: picture?.key ?? null }),
    ...(hidden !== undefined && { hidden_at: hidden ? now : null })
  }
}

/** Throws INVALID_INPUT if one of the products does not exist. */
async function setProducts(
  trx: Trx,
  collection: string,
  products: readonly string[]
): Promise<void> {
  await trx.deleteFrom('collection_products').where('collection_id', '=', collection).execute()
  if (products.length === 0) return
  const known = await trx.selectFrom('products').select('id').where('id', 'in', products).execute()
  if (known.length < products.length)
    throw invalidField('products', ADMIN_MESSAGES.productIdUnknown)
  await trx
    .insertInto('collection_products')
    .values(
      products.map((id, position) => ({ collection_id: collection, product_id: id, position }))
    )
    .execute()
}

/**
 * Adds the product at the end of collections that do not contain it yet. Throws INVALID_INPUT for
 * an unknown one.
 */
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
