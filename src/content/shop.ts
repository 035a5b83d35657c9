import { type TaxFacts, toTaxText } from '#lib/checkout/checkout-form.ts'
import type { ClosedDays } from '#lib/delivery/calendar.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import type { PolicyName } from '#lib/contract/names.ts'
import type { Seller } from '#lib/contract/orders.ts'
import type { Picture } from '#lib/contract/values.ts'
import type { Settings, ShopSettings } from '#lib/contract/settings.ts'
import {
  POLICIES,
  fillPlaceholders,
  toShopAddressLines,
  type ShopDetails,
  type ShopInfo
} from '#lib/settings.ts'
import { listShopLinks, localPath, paths } from '#lib/paths.ts'
import { toYearInIndia } from '#lib/time.ts'
import { listShopFacts } from './claims.ts'
import { getSite, hasPage, trackedRead, type Site } from './reads.ts'
import { renderMarkdown } from './render-markdown.ts'

export async function listIds(of: 'products' | 'collections' | 'posts'): Promise<string[]> {
  return (await getSite())[of].map(({ id }) => id)
}

export const getShop = trackedRead('shop', ({ shop: settings, posts, readAt }): ShopInfo => {
  const { shop, legal, isDemo, policies, about } = settings
  const { name, nameTamil, tagline, legalName, address, phone, whatsapp, email, social, logo } =
    shop
  return {
    ...{ name, nameTamil, tagline, legalName, address, phone, whatsapp, email, social, logo },
    fssai: legal.fssai,
    hasGrievanceOfficer: legal.grievanceOfficer.name !== '',
    isDemo,
    policies: policies
      .filter(({ text }) => text !== '')
      .map(({ name: policy }) => ({ ...POLICIES[policy], path: localPath(POLICIES[policy].path) })),
    links: listShopLinks().filter(
      ({ path }) =>
        (path !== paths.blogs || posts.length > 0) && (path !== paths.about || about.text !== '')
    ),
    // All pages of a release show the same year, even at New Year.
    year: toYearInIndia(readAt)
  }
})

export const getShopDetails = readSettings('shop-details', ({ shop, legal }): ShopDetails => ({
  ...shop,
  ...legal
}))

export const getSeller = readSettings('seller', ({ shop, legal }): Seller => {
  const { name, legalName, address, phone, email } = shop
  return { name, legalName, address, phone, email, fssai: legal.fssai, gstin: legal.gstin }
})

// Reads are small, because a change renders all pages that use the read again.
export const getTaxFacts = readSettings('tax', ({ tax, legal }): TaxFacts => ({
  taxText: toTaxText({ ...tax, ...legal }),
  servedState: tax.servedState
}))

export const getProductRules = readSettings(
  'product-rules',
  ({ tax, legal, delivery, about, policies }) => ({
    priceNote:
      tax.status === 'unregistered' && legal.gstin === '' ? '' : toTaxText({ ...tax, ...legal }),
    transit: delivery.leastTransit,
    promise: about.promise,
    /** Our own policy takes nothing back that is as described. */
    refusesReturns: policies.some(({ name, isBuiltIn }) => name === 'refund' && isBuiltIn)
  })
)

/** The link of a banner is empty if its page no longer exists. */
export const getHome = trackedRead('home', (site): Settings['home'] => {
  const { home } = site.shop
  const toLink = (link: string) => {
    if (!link.startsWith('/')) return link
    return hasPage(site, link) ? localPath(link) : ''
  }
  return {
    ...home,
    banners: home.banners.map(banner => ({ ...banner, link: toLink(banner.link) }))
  }
})

export const getSharedPicture = trackedRead(
  'shared-picture',
  ({ pictures, shop: { home } }): Picture | undefined =>
    pictures.find(({ name }) => name === home.banners[0]?.picture)
)

export const getCategoryLabel = trackedRead(
  'category-label',
  ({ shop: { categories } }, name: string): string | undefined =>
    categories.find(category => category.name === name && !category.hidden)?.label
)

export const getAllCategories = readSettings('categories', ({ categories }) => categories)
export const getOrderSettings = readSettings('orders', ({ orders }) => orders)
export const getCalendar = readSettings('calendar', ({ calendar }) => calendar)
export const getDelivery = readSettings('delivery', ({ delivery }) => delivery)
export const getPickupPlace = readSettings('pickup-place', ({ shop, delivery }): string[] =>
  [...toShopAddressLines(shop.address), delivery.pickupText].filter(line => line !== '')
)
export const getShopFacts = trackedRead('shop-facts', ({ products, shop }): string[] =>
  listShopFacts({
    products,
    daysToDelivery: shop.calendar.leadDays + shop.delivery.leastTransit,
    area: shop.delivery.area,
    fssai: shop.legal.fssai
  })
)
export const getClosedDays = readSettings('closed-days', ({ orders }): ClosedDays => orders.closed)

export interface Prose {
  description: string
  html: string
}

export const getAbout = trackedRead('about', (site): Prose & Omit<Settings['about'], 'text'> => {
  const { text, ...about } = site.shop.about
  return { ...about, html: renderText(site, text) }
})

/** `html` is empty and `updatedAt` null if the owner has not written this policy. */
export const getPolicy = trackedRead(
  'policy',
  (site, name: PolicyName): Prose & { updatedAt: string | null } => {
    const policy = site.shop.policies.find(candidate => candidate.name === name)
    if (!policy) throw new Error(`The API has no policy ${name}`)
    const { description, text, updatedAt } = policy
    return { description, updatedAt, html: renderText(site, text) }
  }
)

type PostCard = Omit<BlogPost, 'content'>

export const getPosts = trackedRead('posts', ({ posts }): PostCard[] => posts.map(toCard))
export const getPost = trackedRead('post', findPost)
export const getPostText = trackedRead('post-text', (site, id: string): string =>
  renderMarkdown(findPost(site, id).content, path => hasPage(site, path))
)
export const getOtherPosts = trackedRead(
  'other-posts',
  ({ posts }, id: string, count: number): PostCard[] => {
    const others = posts.filter(post => post.id !== id)
    return others.slice(0, count).map(toCard)
  }
)

function findPost({ posts }: Site, id: string): BlogPost {
  const post = posts.find(candidate => candidate.id === id)
  if (!post) throw new Error(`The API has no post ${id}`)
  return post
}

function toCard({ content: _, ...card }: BlogPost): PostCard {
  return card
}

function readSettings<Value>(
  name: string,
  select: (settings: ShopSettings) => Value
): () => Promise<Value> {
  return trackedRead(name, ({ shop }) => select(shop))
}

function renderText(site: Site, text: string) {
  return renderMarkdown(fillPlaceholders(text, site.shop), path => hasPage(site, path))
}
