import { sql, type SqlBool } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { formatHours, formatPhone } from '#lib/contract/formats.ts'
import type { OurPolicies } from '#lib/contract/setting-sections.ts'
import type { Settings, ShopSettings, StoredSection } from '#lib/contract/settings.ts'
import { findArea, hasFees, leastTransit, listServices, servesAll } from '#lib/delivery/terms.ts'
import { ShopError } from '#lib/errors.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { findState } from '#lib/contract/states.ts'
import { text } from '#lib/contract/texts.ts'
import {
  type PolicyName,
  POLICY_NAMES,
  SECTION_NAMES,
  type SectionName
} from '#lib/contract/names.ts'
import type { Db, SettingsRow } from '../platform/db/tables.ts'
import { makePolicies, mergeTexts, POLICY_SOURCES } from './policies.ts'
import { toDeliveryStates } from './tax.ts'

export async function readSection<Name extends SectionName>(
  db: Db,
  section: Name
): Promise<Settings[Name]> {
  return (await readStoredSection(db, section)).value
}

/** Empty, with version 0, if never saved. Throws NOT_FOUND for an unknown version. */
export async function readStoredSection<Name extends SectionName>(
  db: Db,
  section: Name,
  version?: number
): Promise<StoredSection<Name>> {
  let query = db.selectFrom('settings').selectAll().where('section', '=', section)
  if (version !== undefined) query = query.where('version', '=', version)
  const row = await query.orderBy('version', 'desc').limit(1).executeTakeFirst()
  if (row) return toStored<Name>(section, row)
  if (version !== undefined && version !== 0) throw new ShopError('NOT_FOUND')
  return { value: EMPTY_SETTINGS[section], version: 0, savedAt: null, savedBy: '' }
}

/** Oldest first. */
export async function listVersions<Name extends SectionName>(
  db: Db,
  section: Name,
  after = 0
): Promise<StoredSection<Name>[]> {
  const rows = await db
    .selectFrom('settings')
    .selectAll()
    .where('section', '=', section)
    .where('version', '>', after)
    .orderBy('version')
    .execute()
  return rows.map(row => toStored<Name>(section, row))
}

export type StoredSections = { [Name in SectionName]?: StoredSection<Name> }

export async function readCurrentSections(
  db: Db,
  sections: readonly SectionName[] = SECTION_NAMES
): Promise<StoredSections> {
  const rows = await db
    .selectFrom('settings')
    .selectAll()
    .where(
      sql<SqlBool>`not exists (select 1 from settings as newer
        where newer.section = settings.section and newer.version > settings.version)`
    )
    .where('section', 'in', sections)
    .execute()
  return Object.fromEntries(rows.map(row => [row.section, toStored(row.section, row)]))
}

function toStored<Name extends SectionName>(section: Name, row: SettingsRow): StoredSection<Name> {
  return {
    value: parseStoredValue(section, row.value),
    version: row.version,
    savedAt: row.saved_at,
    savedBy: row.saved_by_name
  }
}

type StoredValue<Name extends SectionName> = Partial<Settings[Name]>
type StoredDelivery = StoredValue<'delivery'> & { restServed?: boolean }

/** Bring sections that older versions have saved to today's form when they are read. */
const UPGRADES: { [Name in SectionName]?: (value: StoredValue<Name>) => StoredValue<Name> } = {
  shop: ({ address = EMPTY_SETTINGS.shop.address, phone = '', hours = '', ...shop }) => ({
    ...shop,
    phone: formatPhone(phone),
    hours: formatHours(hours),
    address: { ...address, state: findState(address.state) || address.state }
  }),
  // Before there was a choice, pincodes in no zone were not served or served for nothing.
  delivery: ({ restServed = true, ...delivery }: StoredDelivery) => ({
    ...(!restServed && { elsewhere: 'none' }),
    ...delivery
  })
}

/** Fields of newer versions are empty in sections that were saved before. */
function parseStoredValue<Name extends SectionName>(section: Name, json: string): Settings[Name] {
  const stored = JSON.parse(json) as StoredValue<Name>
  return { ...EMPTY_SETTINGS[section], ...(UPGRADES[section]?.(stored) ?? stored) }
}

export async function readSections<Name extends SectionName>(
  db: Db,
  names: readonly Name[]
): Promise<Pick<Settings, Name>> {
  return toValues(await readCurrentSections(db, names), names)
}

export function toValues<Name extends SectionName>(
  stored: StoredSections,
  names: readonly Name[]
): Pick<Settings, Name> {
  const values = names.map(name => [name, stored[name]?.value ?? EMPTY_SETTINGS[name]])
  return Object.fromEntries(values) as Pick<Settings, Name>
}

export async function readShopSettings(db: Db): Promise<ShopSettings> {
  const stored = await readCurrentSections(db)
  const values = toValues(stored, SECTION_NAMES)
  const { shop, legal, tax, home, categories, orders, about, delivery } = values
  const { pickup, pickupText } = delivery
  const { servedState } = toDeliveryStates({ tax, legal, shop })
  const { ordersPerDay: _orders, unitsPerDay: _units, ...calendar } = values.calendar
  return {
    shop,
    legal,
    tax: { status: tax.status, servedState },
    home,
    categories: categories.categories,
    orders,
    calendar,
    delivery: {
      hasFees: hasFees(delivery),
      leastTransit: leastTransit(delivery),
      countrywide: servedState === '' && servesAll(delivery) ? listServices(delivery) : [],
      area: findArea(delivery, servedState),
      ...{ pickup, pickupText, translations: delivery.translations }
    },
    about,
    policies: await listPolicies(stored),
    isDemo:
      INVENTED_SECTIONS.some(name => stored[name]?.savedBy === DEMO_AUTHOR) ||
      (await listInventedDetails(db)).length > 0
  }
}

/** Undefined if the shop's text is shown: the owner's answers replace a text of the demo. */
export function findOwnPolicy(
  stored: StoredSections,
  name: PolicyName
): StoredSection<PolicyName> | undefined {
  const own = stored[name]
  const isReplaced =
    own?.savedBy === DEMO_AUTHOR && (stored.policies?.savedBy ?? DEMO_AUTHOR) !== DEMO_AUTHOR
  return own?.value.text === '' || isReplaced ? undefined : own
}

async function listPolicies(stored: StoredSections): Promise<ShopSettings['policies']> {
  const answers = stored.policies
  const made = answers && (await makePolicies(toValues(stored, POLICY_SOURCES)))
  return POLICY_NAMES.map(name => {
    const { value = EMPTY_SETTINGS[name], savedAt = null } = stored[name] ?? {}
    if (!made || findOwnPolicy(stored, name)) return { name, ...value, updatedAt: savedAt }
    const updatedAt = [savedAt ?? '', answers.savedAt ?? ''].toSorted().at(-1) ?? null
    const description = value.description || made[name].description
    const translations = mergeTexts(made[name].translations, value.translations)
    return { name, ...made[name], description, translations, updatedAt, isBuiltIn: true }
  })
}

export async function readOurPolicies(
  db: Db,
  policies: Settings['policies']
): Promise<OurPolicies> {
  const stored = await readCurrentSections(db, [...POLICY_SOURCES, ...POLICY_NAMES])
  const made = await makePolicies({ ...toValues(stored, POLICY_SOURCES), policies })
  return POLICY_NAMES.map(name => ({
    name,
    text: made[name].text,
    own: findOwnPolicy(stored, name)?.value.text ?? ''
  }))
}

export async function listCategoryNames(db: Db): Promise<string[]> {
  const { categories } = await readSection(db, 'categories')
  return categories.map(({ name }) => name)
}

/** `savedBy` of sections that the demo shop came with. */
export const DEMO_AUTHOR = text('Demo data')

/** With invented testimonials and claims. Without these sections, pages show less. */
export const INVENTED_SECTIONS = ['home', 'about'] as const satisfies SectionName[]

type Details = Settings['shop'] & Settings['legal']

/** No real shop has them in common with the demo. */
const INVENTED_DETAILS = [
  'address',
  'phone',
  'email',
  'fssai',
  'grievanceOfficer'
] as const satisfies (keyof Details)[]

/** Those that are still the demo's. */
export async function listInventedDetails(db: Db): Promise<(typeof INVENTED_DETAILS)[number][]> {
  const sections = ['shop', 'legal'] as const
  const rows = await db
    .selectFrom('settings')
    .select(['section', 'value'])
    .where('section', 'in', sections)
    .where('version', '=', 1)
    .where('saved_by_name', '=', DEMO_AUTHOR)
    .execute()
  const parsed = rows.map(({ section, value }) => parseStoredValue(section, value))
  const demo = Object.assign({}, ...parsed) as Partial<Details>
  const { shop, legal } = await readSections(db, sections)
  const current: Details = { ...shop, ...legal }
  return INVENTED_DETAILS.filter(
    name => demo[name] !== undefined && isDeepStrictEqual(current[name], demo[name])
  )
}

export async function findMissingLegal(db: Db): Promise<('fssai' | 'grievanceOfficer')[]> {
  const invented = await listInventedDetails(db)
  const { fssai, grievanceOfficer } = await readSection(db, 'legal')
  const given = { fssai, grievanceOfficer: grievanceOfficer.name }
  const names = ['fssai', 'grievanceOfficer'] as const
  return names.filter(name => !given[name] || invented.includes(name))
}
