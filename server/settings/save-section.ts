import { isDeepStrictEqual } from 'node:util'
import { OWNER_FIELDS } from '#lib/admin/access.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { Settings, StoredSection } from '#lib/contract/settings.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { EMPTY_SETTINGS, PRIVATE_SECTIONS } from '#lib/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { toDayInIndia, isoNow } from '#lib/time.ts'
import { record } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import {
  findUnknownPictures,
  findUnknownProducts,
  listUsedCategories,
  nameUploadedPictures
} from './queries.ts'
import {
  findAt,
  findCalendarProblems,
  findShopPincodeProblems,
  findTextProblems,
  findZoneProblems
} from './checks.ts'
import { findSellerProblems, findTaxProblems, SELLER_SECTIONS } from './tax.ts'
import { listCategoryNames, readSections, readStoredSection } from './settings.ts'

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

function refuse(problems: FieldErrors): void {
  const fields = Object.entries(problems).map(([field, text]) => [`value.${field}`, text])
  if (fields.length > 0)
    throw new ShopError('INVALID_INPUT', { fields: Object.fromEntries(fields) as FieldErrors })
}

const texts = {
  categoryDuplicate: 'Another category has this name',
  categoryInUse:
    'A category that you removed still has products. ' +
    'Add it again and hide it, or move its products first.',
  categoryMissing:
    'Powders, Savouries, Pickles, Sweets and Seer Items can be hidden, but not removed.'
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
  const { home, tax, delivery, calendar, shop } = changed
  const categories = await listCategoryNames(trx)
  const problems = await findPictureProblems(trx, listPictures(changed))
  if (changed.categories)
    Object.assign(problems, await findCategoryProblems(trx, changed.categories))
  if (home) Object.assign(problems, await findHomeProblems(trx, home, categories))
  if (tax) {
    const ids = tax.products.map(({ product }) => product)
    const known = { categories, today, unknownProducts: await findUnknownProducts(trx, ids) }
    Object.assign(problems, findTaxProblems(tax, known))
  }
  if (delivery) Object.assign(problems, findZoneProblems(delivery))
  if (calendar) Object.assign(problems, findCalendarProblems(calendar, categories))
  if (shop) Object.assign(problems, findShopPincodeProblems(shop.address))
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
  const named = [
    ['logo', shop?.logo],
    ['picture', about?.picture],
    ...(home?.banners ?? []).map(({ picture }, index) => [`banners.${index}.picture`, picture]),
    ...(categories?.categories ?? []).map(({ picture }, index) => [
      `categories.${index}.picture`,
      picture
    ])
  ]
  return Object.fromEntries(named.filter(([, name]) => name)) as Record<string, string>
}

async function findPictureProblems(
  trx: Trx,
  pictures: Readonly<Record<string, string>>
): Promise<FieldErrors> {
  const unknown = await findUnknownPictures(trx, Object.values(pictures))
  const wrong = Object.keys(pictures).filter(field => unknown.includes(pictures[field] ?? ''))
  return Object.fromEntries(wrong.map(field => [field, ADMIN_MESSAGES.pictureUnknown]))
}

async function findCategoryProblems(
  trx: Trx,
  { categories }: Settings['categories']
): Promise<FieldErrors> {
  const names = categories.map(({ name }) => name)
  const isMissing = (name: string): boolean => !names.includes(name)
  const required = EMPTY_SETTINGS.categories.categories.map(({ name }) => name)
  const used = await listUsedCategories(trx)
  return {
    ...findAt(names, (name, index) => names.indexOf(name) < index, {
      path: index => `categories.${index}.name`,
      text: texts.categoryDuplicate
    }),
    ...(required.some(isMissing) && { categories: texts.categoryMissing }),
    ...(used.some(isMissing) && { categories: texts.categoryInUse })
  }
}

async function findHomeProblems(
  trx: Trx,
  { bestsellers, featuredCategories }: Settings['home'],
  categories: readonly string[]
): Promise<FieldErrors> {
  const unknown = await findUnknownProducts(trx, bestsellers)
  return {
    ...findAt(bestsellers, id => unknown.includes(id), {
      path: index => `bestsellers.${index}`,
      text: ADMIN_MESSAGES.productIdUnknown
    }),
    ...findAt(featuredCategories, name => !categories.includes(name), {
      path: index => `featuredCategories.${index}`,
      text: ADMIN_MESSAGES.categoryUnknown
    })
  }
}
