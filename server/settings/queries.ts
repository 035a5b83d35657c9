import { isDeepStrictEqual } from 'node:util'
import { sql, type SqlBool } from 'kysely'
import type { SectionVersion, Settings } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/settings.ts'
import type { Db, SettingsRow, Trx } from '../platform/db/tables.ts'

/** `savedBy` of sections that the demo shop came with. */
export const DEMO_AUTHOR = 'Demo data'
type Details = Settings['shop'] & Settings['legal']
/** Details that no real shop has in common with the demo. */
const INVENTED_DETAILS = ['address', 'phone', 'email', 'fssai', 'grievanceOfficer'] as const satisfies (keyof Details)[]
type InventedDetail = (typeof INVENTED_DETAILS)[number]

/** Returns the details that are still the demo's. The owner may have saved other details beside them. */
export async function listInventedDetails(db: Db): Promise<InventedDetail[]> {
  const sections = ['shop', 'legal'] as const
  const first = db.selectFrom('settings').selectAll().where('section', 'in', sections).where('version', '=', 1)
  const demo = toDetails(await first.where('saved_by_name', '=', DEMO_AUTHOR).execute())
  const current = toDetails(await listCurrentSections(db, sections))
  return INVENTED_DETAILS.filter(name => demo[name] !== undefined && isDeepStrictEqual(current[name], demo[name]))
}

function toDetails(rows: readonly SettingsRow[]): Partial<Details> {
  return Object.assign({}, ...rows.map(({ value }) => JSON.parse(value) as object)) as Partial<Details>
}

export async function findSection(db: Db, section: SectionName, version?: number): Promise<SettingsRow | undefined> {
  let query = db.selectFrom('settings').selectAll().where('section', '=', section)
  if (version !== undefined) query = query.where('version', '=', version)
  return query.orderBy('version', 'desc').limit(1).executeTakeFirst()
}

/** Newest first. */
export async function listVersions(db: Db, section: SectionName, limit: number): Promise<SectionVersion[]> {
  const rows = await db
    .selectFrom('settings')
    .select(['version', 'saved_at', 'saved_by_name'])
    .where('section', '=', section)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({ version: row.version, savedAt: row.saved_at, savedBy: row.saved_by_name }))
}

export async function listCurrentSections(db: Db, sections: readonly SectionName[]): Promise<SettingsRow[]> {
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

export async function insertVersion(trx: Trx, row: SettingsRow): Promise<void> {
  await trx.insertInto('settings').values(row).execute()
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
