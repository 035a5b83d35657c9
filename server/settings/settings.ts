import { toOneLine } from '#lib/contract/formats.ts'
import type { SitePicture } from '#lib/contract/catalog.ts'
import type { Settings, ShopSettings, StoredSection } from '#lib/contract/settings.ts'
import { hasFees, leastTransit } from '#lib/delivery/zones.ts'
import { ShopError } from '#lib/errors.ts'
import { EMPTY_SETTINGS, toShopAddressLines } from '#lib/settings.ts'
import { POLICY_NAMES, SECTION_NAMES, type SectionName } from '#lib/contract/names.ts'
import { findFirstOwnerEmail } from '../accounts/users.ts'
import type { Config } from '../config.ts'
import type { Db, SettingsRow } from '../platform/db/tables.ts'
import { findSection, listCurrentSections, parseStoredValue } from './queries.ts'
import { DEMO_AUTHOR, INVENTED_SECTIONS, listInventedDetails } from './demo-details.ts'
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
  const row = await findSection(db, section, version)
  if (row) return toStored<Name>(section, row)
  if (version !== undefined && version !== 0) throw new ShopError('NOT_FOUND')
  return { value: EMPTY_SETTINGS[section], version: 0, savedAt: null, savedBy: '' }
}

export type StoredSections = { [Name in SectionName]?: StoredSection<Name> }

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

export async function listCategoryNames(db: Db): Promise<string[]> {
  const { categories } = await readSection(db, 'categories')
  return categories.map(({ name }) => name)
}

export async function listSitePictures(db: Db): Promise<SitePicture[]> {
  const rows = await db
    .selectFrom('pictures')
    .select(['key', 'name', 'width', 'height', 'alt', 'color'])
    .where('name', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name, ...picture }) => ({ ...picture, name: name ?? '' }))
}
