import { toTaxText, type TaxFacts } from '#lib/checkout/order-rules.ts'
import type { ClosedDays } from '#lib/closed-days.ts'
import type { Seller } from '#lib/contract/orders.ts'
import type { Category, Settings, ShopSettings } from '#lib/contract/settings.ts'
import {
  POLICIES,
  fillPlaceholders,
  toShopAddressLines,
  type ShopDetails,
  type ShopInfo
} from '#lib/settings.ts'
import type { PolicyName } from '#lib/contract/names.ts'
import { fetchSiteContent, getYear, readIsPage, trackedRead } from './reads.ts'
import { renderMarkdown } from './render-markdown.ts'

const fetchShop = async (): Promise<ShopSettings> => (await fetchSiteContent()).shop

/** A change of these details renders all pages. */
export const getShop = trackedRead('shop', async (): Promise<ShopInfo> => {
  const { shop, legal, isDemo, policies } = await fetchShop()
  const { name, nameTamil, tagline, legalName, address, phone, email, social, logo } = shop
  return {
    ...{ name, nameTamil, tagline, legalName, address, phone, email, social, logo },
    fssai: legal.fssai,
    hasGrievanceOfficer: legal.grievanceOfficer.name !== '',
    isDemo,
    policies: policies
      .filter(({ text }) => text !== '')
      .map(({ name: policy }) => POLICIES[policy]),
    year: await getYear()
  }
})

export const getShopDetails = trackedRead('shop-details', async (): Promise<ShopDetails> => {
  const { shop, legal } = await fetchShop()
  return { ...shop, ...legal }
})

export const getSeller = trackedRead('seller', async (): Promise<Seller> => {
  const { shop, legal } = await fetchShop()
  const { name, legalName, address, phone, email } = shop
  return { name, legalName, address, phone, email, fssai: legal.fssai, gstin: legal.gstin }
})

/** A read of its own, because only some pages show it. */
export const getTaxFacts = trackedRead('tax', async (): Promise<TaxFacts> => {
  const { tax, legal } = await fetchShop()
  return { taxText: toTaxText({ ...tax, ...legal }), servedState: tax.servedState }
})

/** The link of a banner is empty if its page no longer exists. */
export const getHome = trackedRead('home', async (): Promise<Settings['home']> => {
  const [{ home }, isPage] = await Promise.all([fetchShop(), readIsPage()])
  const isMissing = (link: string): boolean => link.startsWith('/') && !isPage(link)
  return {
    ...home,
    banners: home.banners.map(banner => (isMissing(banner.link) ? { ...banner, link: '' } : banner))
  }
})

export const getSharedPicture = trackedRead(
  'shared-picture',
  async (): Promise<string> => (await fetchShop()).home.banners[0]?.picture ?? ''
)

export const getCategories = trackedRead('shown-categories', async (): Promise<Category[]> => {
  return (await fetchShop()).categories.filter(({ hidden }) => !hidden)
})

export const getAllCategories = readPart('categories')

/** Undefined for a hidden category. A change publishes only products of the category. */
export const getCategoryLabel = trackedRead(
  'category-label',
  async (name: string): Promise<string | undefined> => {
    return (await fetchShop()).categories.find(
      category => category.name === name && !category.hidden
    )?.label
  }
)

export const getOrderSettings = readPart('orders')
export const getCalendar = readPart('calendar')
export const getDelivery = readPart('delivery')

/** A read of its own, because every product page shows the earliest day. */
export const getLeastTransit = trackedRead('least-transit', async (): Promise<number> => {
  return (await fetchShop()).delivery.leastTransit
})

export const getPickupPlace = trackedRead('pickup-place', async (): Promise<string[]> => {
  const { shop, delivery } = await fetchShop()
  return [...toShopAddressLines(shop.address), delivery.pickupText].filter(line => line !== '')
})

/** A read of its own, because every page shows the closed days. */
export const getClosedDays = trackedRead('closed-days', async (): Promise<ClosedDays> => {
  return (await fetchShop()).orders.closed
})

export interface Prose {
  description: string
  html: string
}

export const getAbout = trackedRead(
  'about',
  async (): Promise<Prose & Omit<Settings['about'], 'text'>> => {
    const { text, ...about } = (await fetchShop()).about
    return { ...about, html: await renderText(text) }
  }
)

/** `html` is empty and `updatedAt` null if the owner has not written this policy. */
export const getPolicy = trackedRead(
  'policy',
  async (name: PolicyName): Promise<Prose & { updatedAt: string | null }> => {
    const policy = (await fetchShop()).policies.find(candidate => candidate.name === name)
    if (!policy) throw new Error(`The API has no policy ${name}`)
    const { description, text, updatedAt } = policy
    return { description, updatedAt, html: await renderText(text) }
  }
)

function readPart<Name extends keyof ShopSettings>(name: Name): () => Promise<ShopSettings[Name]> {
  return trackedRead(name, async () => (await fetchShop())[name])
}

async function renderText(text: string): Promise<string> {
  return renderMarkdown(fillPlaceholders(text, await fetchShop()), await readIsPage())
}
