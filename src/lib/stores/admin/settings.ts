import { atom, readonlyType } from 'nanostores'
import type { FieldChoices } from '../../admin/field-values.ts'
import { api, type Api } from '../../api.ts'
import { ALL_INDIA } from '../../admin/zones.ts'
import { PINCODE } from '../../constants.ts'
import type { DeliveryPlace } from '../../contract/delivery.ts'
import type { Product, SitePicture } from '../../contract/catalog.ts'
import type { SectionVersion, Settings, StoredSection } from '../../contract/settings.ts'
import type { OurPolicies } from '../../contract/setting-sections.ts'
import type { Picture } from '../../contract/values.ts'
import { toSearchCards, type SearchCard } from '../../catalog/cards.ts'
import { language, t } from '../../contract/texts.ts'
import type { DeliveryRules } from '../../delivery/terms.ts'
import { localize } from '../../localize.ts'
import { toUniqueName } from '../../product.ts'
import type { Search } from '../../search/search.ts'
import type { SectionName } from '../../contract/names.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { loadSetup } from './overview.ts'
import { POLICIES } from '../../settings.ts'
import { loadInto, updateLoaded, type LoadState } from '../load-state.ts'

const $sectionsState = atom<LoadState<Record<SectionName, SectionVersion>>>({ state: 'loading' })
const $picturesState = atom<LoadState<readonly SitePicture[]>>({ state: 'loading' })

export const $sections = readonlyType($sectionsState)
export const $sitePictures = readonlyType($picturesState)

export function loadSections(): Promise<void> {
  return loadInto($sectionsState, () => api('GET /admin/settings'))
}

export function loadSitePictures(): Promise<void> {
  return loadInto($picturesState, () => api('GET /pictures'))
}

/** Returns its name. The server stores it with the setting. */
export function addSitePicture(picture: Picture): string {
  const pictures = $picturesState.get()
  const known =
    pictures.state === 'ready' ? pictures.value.find(({ key }) => key === picture.key) : undefined
  if (!known) updateLoaded($picturesState, all => [...all, { ...picture, name: picture.key }])
  return known?.name ?? picture.key
}

/** The tax form also asks for the number that is part of the legal details. */
export async function readSettings(section: SectionName): Promise<StoredSection> {
  const stored = await api(`GET /admin/settings/${section}`)
  if (!('otherStates' in stored.value)) return stored
  const { gstin } = (await api('GET /admin/settings/legal')).value
  const { status, otherStates } = stored.value
  return {
    ...stored,
    value: {
      ...stored.value,
      gstin,
      // Older versions of the shop did not ask for the number here.
      status: gstin !== '' && status === 'unregistered' ? 'regular' : status,
      // Without a GST number a shop usually may not, so the owner must choose it.
      otherStates: stored.version > 0 && otherStates
    } as Settings['tax']
  }
}

export async function readDeliveryRules(): Promise<
  DeliveryRules & { products: Product[]; servedState: string | null; pincode: string }
> {
  const [delivery, calendar, orders, products, { tax, shop }] = await Promise.all([
    api('GET /admin/settings/delivery'),
    api('GET /admin/settings/calendar'),
    api('GET /admin/settings/orders'),
    api('GET /products'),
    api('GET /shop')
  ])
  return {
    delivery: delivery.value,
    calendar: calendar.value,
    closed: orders.value.closed,
    products,
    servedState: tax.servedState,
    pincode: shop.address.pincode
  }
}

export async function readSearch(): Promise<(synonyms: string) => Search<SearchCard>> {
  const [{ createSearch }, products, data] = await Promise.all([
    // Loaded on demand: all private pages would load it.
    import('../../search/search.ts'),
    api('GET /products'),
    api('GET /search')
  ])
  const cards = toSearchCards(products)
  return synonyms => createSearch(cards, { ...data, synonyms })
}

export async function saveSettings(
  section: SectionName,
  typed: object,
  version: number
): Promise<StoredSection> {
  if (section === 'tax' && 'gstin' in typed) return saveTax(typed as TaxWithNumber, version)
  const body = { value: typed, version } as Api[`PUT /admin/settings/${SectionName}`]['body']
  const saved = await api(`PUT /admin/settings/${section}`, { body })
  updateLoaded($sectionsState, sections => ({ ...sections, [section]: saved }))
  return saved
}

/** The server has tried a new account before it was saved. Returns what works now. */
export async function describeAccount({ value }: StoredSection): Promise<string> {
  await loadSetup()
  if ('server' in value && value.server !== '')
    return t('Your shop can send mail. After a new password, you get a test email.')
  if (!('keyId' in value) || value.keyId === '') return ''
  return /^rzp_test_/.test(value.keyId) ? ADMIN_MESSAGES.testKeysWork : ADMIN_MESSAGES.liveKeysWork
}

type TaxWithNumber = Settings['tax'] & { gstin: string }

/** The section of legal details has the number: it is saved while a registration needs it. */
async function saveTax({ gstin, ...tax }: TaxWithNumber, version: number): Promise<StoredSection> {
  const legal = await api('GET /admin/settings/legal')
  const isRegistered = tax.status !== 'unregistered'
  const value = { ...legal.value, gstin: isRegistered ? gstin : '' }
  const saveNumber = async () => {
    if (value.gstin !== legal.value.gstin) await saveSettings('legal', value, legal.version)
  }
  if (isRegistered) await saveNumber()
  const saved = await saveSettings('tax', tax, version)
  if (!isRegistered) await saveNumber()
  return saved
}

export function readOurPolicies(answers: Settings['policies']): Promise<OurPolicies> {
  return api('POST /admin/settings/policies/preview', { body: answers })
}

export interface OurTexts {
  texts: OurPolicies
  /** False until the owner has answered the questions. */
  isUsed: boolean
}

async function readOurTexts(): Promise<OurTexts> {
  const { value, version } = await api('GET /admin/settings/policies')
  return { texts: await readOurPolicies(value), isUsed: version > 0 }
}

export async function restoreVersion(
  section: SectionName,
  { value }: StoredSection
): Promise<void> {
  const { version } = await readSettings(section)
  await saveSettings(section, value, version)
}

/** The current version by default. */
export async function readWithChoices(
  section: SectionName,
  version?: string
): Promise<{
  stored: StoredSection
  choices: FieldChoices
  isOnServer: boolean
  ours: OurTexts | undefined
}> {
  const connection = section === 'mail' || section === 'payments' ? section : undefined
  const usesProducts = section === 'home' || section === 'tax'
  const usesCategories = usesProducts || section === 'orders' || section === 'calendar'
  const isPolicy = Object.hasOwn(POLICIES, section)
  const [stored, categories, products, places, status, ours] = await Promise.all([
    version === undefined
      ? readSettings(section)
      : api('GET /admin/settings/{section}/versions/{version}', { params: { section, version } }),
    usesCategories ? api('GET /admin/settings/categories') : undefined,
    usesProducts ? api('GET /admin/products') : [],
    section === 'delivery' ? readPlaces() : [],
    connection && api('GET /status'),
    isPolicy && version === undefined ? readOurTexts() : undefined
  ])
  const choices = {
    category: localize(categories?.value.categories ?? [], language()).map(
      ({ name, label }) => [name, label] as const
    ),
    product: products.map(product => [product.id, toUniqueName(product)] as const),
    places
  }
  const isOnServer = connection !== undefined && status?.setOnServer.includes(connection) === true
  return { stored, choices, isOnServer, ours }
}

async function readPlaces(): Promise<DeliveryPlace[]> {
  const { pincode } = (await api('GET /shop')).shop.address
  const near = PINCODE.test(pincode) ? await api('GET /admin/places', { query: { pincode } }) : []
  return [...near, ALL_INDIA]
}
