import { atom, readonlyType } from 'nanostores'
import type { FieldChoices } from '../../admin/field-values.ts'
import { api, type Api } from '../../api.ts'
import { ALL_INDIA } from '../../admin/zones.ts'
import { PINCODE } from '../../constants.ts'
import type { DeliveryPlace } from '../../contract/delivery.ts'
import type { Product, SitePicture } from '../../contract/catalog.ts'
import type { SectionVersion, StoredSection } from '../../contract/settings.ts'
import type { Picture } from '../../contract/values.ts'
import { toSearchCards, type SearchCard } from '../../catalog-filter.ts'
import type { DeliveryRules } from '../../delivery/terms.ts'
import { toUniqueName } from '../../product.ts'
import type { Search } from '../../search/search.ts'
import type { SectionName } from '../../contract/names.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { loadSetup, readStatus } from '../setup.ts'
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

export function readSettings(section: SectionName): Promise<StoredSection> {
  return api(`GET /admin/settings/${section}`)
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
  value: object,
  version: number
): Promise<StoredSection> {
  const body = { value, version } as Api[`PUT /admin/settings/${SectionName}`]['body']
  const saved = await api(`PUT /admin/settings/${section}`, { body })
  updateLoaded($sectionsState, sections => ({ ...sections, [section]: saved }))
  return saved
}

/** Returns what works now. The server has asked Razorpay before it saved new keys. */
export async function testSaved({ value }: StoredSection, isOnServer: boolean): Promise<string> {
  let text = ''
  if ('keyId' in value && value.keyId !== '')
    text = /^rzp_test_/.test(value.keyId)
      ? ADMIN_MESSAGES.testKeysWork
      : ADMIN_MESSAGES.liveKeysWork
  if ('server' in value && value.server !== '' && !isOnServer)
    text = (await api('POST /admin/settings/mail/test')).message
  await loadSetup()
  return text
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
): Promise<{ stored: StoredSection; choices: FieldChoices; isOnServer: boolean }> {
  const connection = section === 'mail' || section === 'payments' ? section : undefined
  const usesProducts = section === 'home' || section === 'tax'
  const usesCategories = usesProducts || section === 'orders' || section === 'calendar'
  const [stored, categories, products, places, status] = await Promise.all([
    version === undefined
      ? readSettings(section)
      : api('GET /admin/settings/{section}/versions/{version}', { params: { section, version } }),
    usesCategories ? api('GET /admin/settings/categories') : undefined,
    usesProducts ? api('GET /admin/products') : [],
    section === 'delivery' ? readPlaces() : [],
    connection && readStatus()
  ])
  const choices = {
    category: categories?.value.categories.map(({ name, label }) => [name, label] as const) ?? [],
    product: products.map(product => [product.id, toUniqueName(product)] as const),
    places
  }
  const isOnServer = connection !== undefined && status?.setOnServer.includes(connection) === true
  return { stored, choices, isOnServer }
}

async function readPlaces(): Promise<DeliveryPlace[]> {
  const { pincode } = (await api('GET /shop')).shop.address
  const near = PINCODE.test(pincode) ? await api('GET /admin/places', { query: { pincode } }) : []
  return [...near, ALL_INDIA]
}
