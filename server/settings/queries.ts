import { sql, type SqlBool } from 'kysely'
import type { SectionVersion, Settings } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { Db, SettingsRow, Trx } from '../platform/db/tables.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { findState } from '#lib/contract/states.ts'

export async function findSection(
  db: Db,
  section: SectionName,
  version?: number
): Promise<SettingsRow | undefined> {
  let query = db.selectFrom('settings').selectAll().where('section', '=', section)
  if (version !== undefined) query = query.where('version', '=', version)
  return query.orderBy('version', 'desc').limit(1).executeTakeFirst()
}

export function listVersions(
  db: Db,
  section: SectionName,
  limit: number
): Promise<SectionVersion[]> {
  return db
    .selectFrom('settings')
    .select(['version', 'saved_at as savedAt', 'saved_by_name as savedBy'])
    .where('section', '=', section)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
}

export async function listCurrentSections(
  db: Db,
  sections: readonly SectionName[]
): Promise<SettingsRow[]> {
  return db
    .selectFrom('settings')
    .selectAll()
    .where(
      sql<SqlBool>`not exists (select 1 from settings as newer
        where newer.section = settings.section and newer.version > settings.version)`
    )
    .where('section', 'in', sections)
    .execute()
}

/** Uploads have no name until a setting uses them. Their name is then their key. */
export async function nameUploadedPictures(trx: Trx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await trx
    .updateTable('pictures')
    .set(row => ({ name: row.ref('key') }))
    .where('key', 'in', keys)
    .where('name', 'is', null)
    .execute()
}

export async function findUnknownPictures(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const known = await db.selectFrom('pictures').select('name').where('name', 'in', names).execute()
  return names.filter(name => !known.some(picture => picture.name === name))
}

export async function listUsedCategories(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('products').select('category').distinct().execute()
  return rows.map(({ category }) => category)
}

export async function findUnknownProducts(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const known = await db.selectFrom('products').select('id').where('id', 'in', ids).execute()
  return ids.filter(id => !known.some(product => product.id === id))
}

type StoredValue<Name extends SectionName> = Partial<Settings[Name]>

type StoredDelivery = StoredValue<'delivery'> & { restServed?: boolean }

/** Changes of sections that older versions of the shop have saved. */
const UPGRADES: { [Name in SectionName]?: (value: StoredValue<Name>) => StoredValue<Name> } = {
  shop: ({ address = EMPTY_SETTINGS.shop.address, ...shop }) => ({
    ...shop,
    address: { ...address, state: findState(address.state) || address.state }
  }),
  // Until there was a choice, pincodes in no zone were either not served or served for nothing.
  delivery: ({ restServed = true, ...delivery }: StoredDelivery) => ({
    ...(!restServed && { elsewhere: 'none' }),
    ...delivery
  })
}

/** Fields that newer versions have added are empty in sections that were saved before. */
export function parseStoredValue<Name extends SectionName>(
  section: Name,
  json: string
): Settings[Name] {
  const stored = JSON.parse(json) as StoredValue<Name>
  return { ...EMPTY_SETTINGS[section], ...(UPGRADES[section]?.(stored) ?? stored) }
}
