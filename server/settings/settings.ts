import { isDeepStrictEqual } from 'node:util'
import { POLICY_NAMES, SECTION_NAMES, type SectionName } from '#lib/contract/names.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { OWNER_FIELDS } from '#lib/admin/access.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { SitePicture } from '#lib/contract/catalog.ts'
import type { Settings, ShopSettings, StoredSection } from '#lib/contract/settings.ts'
import { hasFees, leastTransit } from '#lib/delivery/zones.ts'
import { ShopError, type FieldErrors } from '#lib/errors.ts'
import { EMPTY_SETTINGS, PRIVATE_SECTIONS, toShopAddressLines } from '#lib/settings.ts'
import { toDayInIndia } from '#lib/time.ts'
import { record } from '../accounts/audit.ts'
import { findFirstOwnerEmail } from '../accounts/users.ts'
import type { Config } from '../config.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Db, SettingsRow, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { isoNow } from '../platform/process/clock.ts'
import {
  findSection,
  findUnknownPictures,
  findUnknownProducts,
  listCurrentSections,
  listUsedCategories,
  nameUploadedPictures
} from './queries.ts'
import {
  findCalendarProblems,
  findShopPincodeProblems,
  findTextProblems,
  findZoneProblems
} from './checks.ts'
import { DEMO_AUTHOR, INVENTED_SECTIONS, listInventedDetails } from './demo-details.ts'
import { parseStoredValue } from './stored-values.ts'
import { findSellerProblems, findTaxProblems, SELLER_SECTIONS, toDeliveryStates } from './tax.ts'

const texts = {
  categoryDuplicate: 'Another category has this name',
  categoryInUse:
    'A category that you removed still has products. Add it again and hide it, or move its products first.',
  categoryMissing:
    'Powders, Savouries, Pickles, Sweets and Seer Items can be hidden, but not removed.'
}

export async function readSection<Name extends SectionName>(
  db: Db,
  section: Name
): Promise<Settings[Name]> {
  return (await readStoredSection(db, section)).value
}

/**
 * Returns an empty section with version 0 if the owner has never saved it. Throws NOT_FOUND for an
 * unknown version.
 */
export async function readStoredSection<Name extends SectionName>(
  db: Db,
  section: Name,
  version?: number
): Promise<StoredSection<Name>> {
  const row = await findSection(db, section, version)
  if (row) return toStored<Name>(section, row)
  if (version !== undefined && version !== 0) throw new ShopError('NOT_FOUND')
  return { value: EMPTY_SETTINGS[section], version: 0, savedAt: null, savedBy: '' }
}

export type StoredSections = { [Name in SectionName]?: StoredSection<Name> }

/** Leaves out sections that were never saved. */
export async function readCurrentSections(
  db: Db,
  sections: readonly SectionName[] = SECTION_NAMES
): Promise<StoredSections> {
  const rows = await listCurrentSections(db, sections)
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

/** Sections that were never saved are empty. */
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

export interface ShopContact {
  name: string
  /** While the shop has no address, that of the first owner. */
  email: string
  phone: string
  /** Last lines of mails to shoppers. */
  signature: string
  /** Lines with the address of the kitchen, and the hours and directions for pickup. */
  pickupPlace: string
}

export const CONTACT_SECTIONS = ['shop', 'mail', 'delivery'] as const

export async function readContact(db: Db): Promise<ShopContact> {
  return toContact(db, await readSections(db, CONTACT_SECTIONS))
}

export async function toContact(
  db: Db,
  { shop, mail, delivery }: Pick<Settings, (typeof CONTACT_SECTIONS)[number]>
): Promise<ShopContact> {
  const { phone, address } = shop
  const name = toOneLine(shop.name)
  const pickup = [name, ...toShopAddressLines(address), delivery.pickupText]
  return {
    name,
    email: shop.email || (await findFirstOwnerEmail(db)),
    phone,
    signature: mail.signature || name,
    pickupPlace: pickup.filter(Boolean).join('\n')
  }
}

export async function readSender(
  db: Db,
  { mailFrom, siteUrl }: Pick<Config, 'mailFrom' | 'siteUrl'>
): Promise<string> {
  const { shop, mail } = await readSections(db, ['shop', 'mail'])
  if (mail.sender === '' && mailFrom !== undefined) return mailFrom
  const address = mail.sender || shop.email || `no-reply@${new URL(siteUrl).hostname}`
  return `"${toOneLine(shop.name).replace(/["\\]/g, '')}" <${address}>`
}

export async function readShopSettings(db: Db): Promise<ShopSettings> {
  const stored = await readCurrentSections(db)
  const values = toValues(stored, SECTION_NAMES)
  const { shop, legal, tax, home, categories, orders, about, delivery } = values
  const { ordersPerDay: _orders, unitsPerDay: _units, ...calendar } = values.calendar
  return {
    shop,
    legal,
    tax: { status: tax.status, servedState: toDeliveryStates({ tax, legal, shop }).servedState },
    home,
    categories: categories.categories,
    orders,
    calendar,
    delivery: {
      hasFees: hasFees(delivery),
      leastTransit: leastTransit(delivery),
      pickup: delivery.pickup,
      pickupText: delivery.pickupText
    },
    about,
    policies: POLICY_NAMES.map(name => ({
      name,
      ...values[name],
      updatedAt: stored[name]?.savedAt ?? null
    })),
    isDemo:
      INVENTED_SECTIONS.some(name => stored[name]?.savedBy === DEMO_AUTHOR) ||
      (await listInventedDetails(db)).length > 0
  }
}

/** Idempotent. Throws EDIT_CONFLICT, INVALID_INPUT. */
export async function saveSection<Name extends SectionName>(
  { write, clock }: DataDeps,
  actor: User,
  section: Name,
  { value, version }: { value: Settings[Name]; version: number }
): Promise<StoredSection<Name>> {
  if ('text' in value) refuse(await findTextProblems(value.text))
  return write(async trx => {
    await raiseCounter(trx, PRIVATE_SECTIONS.includes(section) ? 'settings' : 'catalog')
    const before = await readStoredSection(trx, section)
    if (before.version !== version) {
      if (isDeepStrictEqual(before.value, value)) return before
      throw new ShopError('EDIT_CONFLICT')
    }
    if (actor.staff !== 'owner') refuse(findOwnerChanges(section, before.value, value))
    await nameUploadedPictures(trx, Object.values(listPictures({ [section]: value })))
    // The settings of a new shop deliver to other states before the owner has asked an accountant.
    const isUnchanged = isDeepStrictEqual(before.value, value)
    if (!isUnchanged) refuse(await findProblems(trx, section, value, toDayInIndia(clock())))
    const at = isoNow(clock)
    await insertSection(trx, section, { value, version: version + 1, at, actor })
    const entry = { actor, at, kind: 'settings', id: section, action: 'changed' } as const
    await record(trx, { ...entry, before: before.value, after: value })
    return { value, version: version + 1, savedAt: at, savedBy: actor.name }
  })
}

function findOwnerChanges(section: SectionName, before: object, after: object): FieldErrors {
  const fields = OWNER_FIELDS[section] ?? []
  const changed = fields.filter(
    name => !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name))
  )
  return Object.fromEntries(changed.map(name => [name, ADMIN_MESSAGES.ownerField]))
}

/** Throws INVALID_INPUT if there are problems. */
function refuse(problems: FieldErrors): void {
  const fields = Object.entries(problems).map(([field, text]) => [`value.${field}`, text])
  if (fields.length > 0)
    throw new ShopError('INVALID_INPUT', { fields: Object.fromEntries(fields) as FieldErrors })
}

interface NewVersion<Name extends SectionName> {
  value: Settings[Name]
  version: number
  at: string
  actor: { _id: string | null; name: string }
}

export async function insertSection<Name extends SectionName>(
  trx: Trx,
  section: Name,
  { value, version, at, actor }: NewVersion<Name>
): Promise<void> {
  const row = { section, version, value: JSON.stringify(value), saved_at: at }
  await trx
    .insertInto('settings')
    .values({ ...row, saved_by: actor._id, saved_by_name: actor.name })
    .execute()
}

/** Checks that need the database. `today` is the day in India. Returns error texts by field. */
async function findProblems<Name extends SectionName>(
  trx: Trx,
  section: Name,
  value: Settings[Name],
  today: string
): Promise<FieldErrors> {
  const changed = { [section]: value } as Partial<Settings>
  const problems: FieldErrors = {}
  const pictures = listPictures(changed)
  const unknown = await findUnknownPictures(trx, Object.values(pictures))
  for (const [field, name] of Object.entries(pictures)) {
    if (unknown.includes(name)) problems[field] = ADMIN_MESSAGES.pictureUnknown
  }
  if (changed.categories)
    Object.assign(problems, await findCategoryProblems(trx, changed.categories))
  if (changed.home) Object.assign(problems, await findHomeProblems(trx, changed.home))
  if (changed.tax) Object.assign(problems, await checkTax(trx, changed.tax, today))
  if (changed.delivery) Object.assign(problems, findZoneProblems(changed.delivery))
  if (changed.calendar)
    Object.assign(problems, findCalendarProblems(changed.calendar, await listCategoryNames(trx)))
  if (changed.shop) Object.assign(problems, findShopPincodeProblems(changed.shop.address))
  const sellerSection = SELLER_SECTIONS.find(name => name === section)
  if (sellerSection) {
    const before = await readSections(trx, SELLER_SECTIONS)
    Object.assign(problems, findSellerProblems(sellerSection, before, { ...before, ...changed }))
  }
  return problems
}

/** Returns the names of pictures by field. */
function listPictures({
  shop,
  home,
  categories,
  about
}: Partial<Settings>): Readonly<Record<string, string>> {
  const banners = (home?.banners ?? []).map(
    ({ picture }, index) => [`banners.${index}.picture`, picture] as const
  )
  const lists = (categories?.categories ?? []).map(
    ({ picture }, index) => [`categories.${index}.picture`, picture] as const
  )
  const single = [['logo', shop?.logo ?? ''] as const, ['picture', about?.picture ?? ''] as const]
  return Object.fromEntries([...single, ...banners, ...lists].filter(([, name]) => name !== ''))
}

async function findCategoryProblems(
  trx: Trx,
  { categories }: Settings['categories']
): Promise<FieldErrors> {
  const problems: FieldErrors = {}
  const names = categories.map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index)
      problems[`categories.${index}.name`] = texts.categoryDuplicate
  }
  const required = EMPTY_SETTINGS.categories.categories.map(({ name }) => name)
  if (required.some(name => !names.includes(name))) problems['categories'] = texts.categoryMissing
  const used = await listUsedCategories(trx)
  if (used.some(name => !names.includes(name))) problems['categories'] = texts.categoryInUse
  return problems
}

async function findHomeProblems(
  trx: Trx,
  { bestsellers, featuredCategories }: Settings['home']
): Promise<FieldErrors> {
  const problems: FieldErrors = {}
  const unknown = await findUnknownProducts(trx, bestsellers)
  for (const [index, id] of bestsellers.entries()) {
    if (unknown.includes(id)) problems[`bestsellers.${index}`] = ADMIN_MESSAGES.productIdUnknown
  }
  const categories = await listCategoryNames(trx)
  for (const [index, name] of featuredCategories.entries()) {
    if (!categories.includes(name))
      problems[`featuredCategories.${index}`] = ADMIN_MESSAGES.categoryUnknown
  }
  return problems
}

async function checkTax(trx: Trx, tax: Settings['tax'], today: string): Promise<FieldErrors> {
  const ids = tax.products.map(({ product }) => product)
  return findTaxProblems(tax, {
    categories: await listCategoryNames(trx),
    unknownProducts: await findUnknownProducts(trx, ids),
    today
  })
}

export async function hasCategory(db: Db, name: string): Promise<boolean> {
  return (await listCategoryNames(db)).includes(name)
}

async function listCategoryNames(db: Db): Promise<string[]> {
  const { categories } = await readSection(db, 'categories')
  return categories.map(({ name }) => name)
}

/** Pictures with a name, by which pages and settings refer to them. */
export async function listSitePictures(db: Db): Promise<SitePicture[]> {
  const rows = await db
    .selectFrom('pictures')
    .select(['key', 'name', 'width', 'height', 'alt', 'color'])
    .where('name', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name, ...picture }) => ({ ...picture, name: name ?? '' }))
}
