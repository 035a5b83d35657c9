import { isDeepStrictEqual } from 'node:util'
import { OWNER_FIELDS } from '#lib/admin/access.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { Settings, StoredSection } from '#lib/contract/settings.ts'
import { t } from '#lib/contract/texts.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { toDayInIndia, isoNow } from '#lib/time.ts'
import { record } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { findPincodeProblems } from '../platform/pincodes/pincodes.ts'
import {
  findAt,
  findCalendarProblems,
  findDuplicates,
  findSellerProblems,
  findTaxProblems,
  findTextProblems,
  findZoneProblems
} from './checks.ts'
import { hasSecrets, hideInAudit } from './secrets.ts'
import { listCategoryNames, readSections, readStoredSection } from './settings.ts'
import { SELLER_SECTIONS } from './tax.ts'

/** Idempotent. Throws EDIT_CONFLICT, INVALID_INPUT. */
export async function saveSection<Name extends SectionName>(
  { write, clock }: DataDeps,
  actor: User,
  section: Name,
  { value, version }: { value: Settings[Name]; version: number }
): Promise<StoredSection<Name>> {
  if ('text' in value) refuse(await findTextProblems(value.text))
  return write(async trx => {
    // No page and no public reply contains sections with secrets.
    await raiseCounter(trx, hasSecrets(section) ? 'settings' : 'catalog')
    const before = await readStoredSection(trx, section)
    const isUnchanged = isDeepStrictEqual(before.value, value)
    if (before.version !== version) {
      if (isUnchanged) return before
      throw new ShopError('EDIT_CONFLICT')
    }
    const needsText = 'text' in value && value.text === '' && section !== 'about'
    if (needsText && (await readStoredSection(trx, 'policies')).version === 0)
      refuse({ text: t('Please write the text, or start from our text.') })
    if (actor.staff !== 'owner') refuse(findOwnerChanges(section, before.value, value))
    await nameUploadedPictures(trx, Object.values(listPictures({ [section]: value })))
    // The settings of a new shop would not pass the checks.
    if (!isUnchanged) refuse(await findProblems(trx, section, value, toDayInIndia(clock())))
    const at = isoNow(clock)
    await insertSection(trx, section, { value, version: version + 1, at, actor })
    const entry = { actor, at, kind: 'settings', id: section, action: 'changed' } as const
    await record(trx, { ...entry, ...hideInAudit(section, before.value, value) })
    return { value, version: version + 1, savedAt: at, savedBy: actor.name }
  })
}

function findOwnerChanges(section: SectionName, before: object, after: object): FieldErrors {
  const changed = (OWNER_FIELDS[section] ?? []).filter(
    name => !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name))
  )
  return Object.fromEntries(changed.map(name => [name, ADMIN_MESSAGES.ownerField]))
}

function refuse(problems: FieldErrors) {
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

/** `today` is the day in India. */
async function findProblems(
  trx: Trx,
  section: SectionName,
  value: object,
  today: string
): Promise<FieldErrors> {
  const changed: Partial<Settings> = { [section]: value }
  const { categories, home, tax, delivery, calendar, shop } = changed
  const names = await listCategoryNames(trx)
  const seller = SELLER_SECTIONS.find(name => name === section)
  const before = seller && (await readSections(trx, SELLER_SECTIONS))
  const usedIds = [...(home?.bestsellers ?? []), ...(tax?.products ?? []).map(each => each.product)]
  const unknown = await findUnknownProducts(trx, usedIds)
  return {
    ...(await findPictureProblems(trx, listPictures(changed))),
    ...(categories && (await findCategoryProblems(trx, categories))),
    ...(home && {
      ...findAt(
        'bestsellers.*',
        home.bestsellers,
        id => unknown.includes(id),
        ADMIN_MESSAGES.productIdUnknown
      ),
      ...findAt(
        'featuredCategories.*',
        home.featuredCategories,
        name => !names.includes(name),
        ADMIN_MESSAGES.categoryUnknown
      )
    }),
    ...(tax && findTaxProblems(tax, { categories: names, today, unknownProducts: unknown })),
    ...(delivery && findZoneProblems(delivery)),
    ...(calendar && findCalendarProblems(calendar, names)),
    ...(shop?.address.pincode && findPincodeProblems(shop.address, 'address')),
    ...(before && findSellerProblems(seller, before, { ...before, ...changed }))
  }
}

function listPictures({
  shop,
  home,
  categories,
  about
}: Partial<Settings>): Readonly<Record<string, string>> {
  const ofEntries = (list: string, entries: readonly { picture: string }[] = []) =>
    entries.map(({ picture }, index) => [`${list}.${index}.picture`, picture])
  const named = [
    ['logo', shop?.logo],
    ['picture', about?.picture],
    ...ofEntries('banners', home?.banners),
    ...ofEntries('categories', categories?.categories)
  ]
  return Object.fromEntries(named.filter(([, name]) => name)) as Record<string, string>
}

/** Uploads have no name until a setting uses them. Their name is then their key. */
async function nameUploadedPictures(trx: Trx, keys: readonly string[]) {
  if (keys.length === 0) return
  await trx
    .updateTable('pictures')
    .set(row => ({ name: row.ref('key') }))
    .where('key', 'in', keys)
    .where('name', 'is', null)
    .execute()
}

async function findPictureProblems(
  trx: Trx,
  pictures: Readonly<Record<string, string>>
): Promise<FieldErrors> {
  const names = Object.values(pictures)
  if (names.length === 0) return {}
  const known = await trx.selectFrom('pictures').select('name').where('name', 'in', names).execute()
  const wrong = Object.entries(pictures).filter(([, name]) => !known.some(row => row.name === name))
  return Object.fromEntries(wrong.map(([field]) => [field, ADMIN_MESSAGES.pictureUnknown]))
}

async function findCategoryProblems(
  trx: Trx,
  { categories }: Settings['categories']
): Promise<FieldErrors> {
  const names = categories.map(({ name }) => name)
  const isMissing = (name: string) => !names.includes(name)
  const used = await trx.selectFrom('products').select('category').distinct().execute()
  return {
    ...findDuplicates('categories.*.name', names, t('Another category has this name')),
    ...(EMPTY_SETTINGS.categories.categories.some(({ name }) => isMissing(name)) && {
      categories: t(
        'Powders, Savouries, Pickles, Sweets and Seer Items can be hidden, but not removed.'
      )
    }),
    ...(used.some(({ category }) => isMissing(category)) && {
      categories: t(
        'A category that you removed still has products. Add it again and hide it, or move its ' +
          'products first.'
      )
    })
  }
}

async function findUnknownProducts(trx: Trx, ids: readonly string[]) {
  if (ids.length === 0) return []
  const known = await trx.selectFrom('products').select('id').where('id', 'in', ids).execute()
  return ids.filter(id => !known.some(product => product.id === id))
}
