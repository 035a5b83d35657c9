import { DEFAULT_LANGUAGE, TRANSLATIONS, type Language } from './constants.ts'
import { language, lazily, t } from './contract/texts.ts'

/** '/ta/products' for '/products' in Tamil. */
export function localPath(path: string, code: Language = language()): string {
  const english = toEnglishPath(path)
  return code === DEFAULT_LANGUAGE ? english : `/${code}${english.replace(/^\/(?=$|[?#])/, '')}`
}

const PREFIX = new RegExp(`^/(?:${TRANSLATIONS.join('|')})(?=[/?#]|$)/?`)

/** The path of the same page in English. */
export function toEnglishPath(path: string): string {
  return path.replace(PREFIX, '/')
}

/** In English. For tables of a module, whose paths go through `localPath` where they are shown. */
export const PATHS = {
  home: '/',
  products: '/products',
  product: (id: string) => localPath(`/products/${encodeURIComponent(id)}`),
  category: (name: string) => localPath(`/products?category=${encodeURIComponent(name)}`),
  collection: (id: string) => localPath(`/collections/${encodeURIComponent(id)}`),
  blogs: '/blogs',
  blog: (id: string) => localPath(`/blogs/${encodeURIComponent(id)}`),
  about: '/about',
  contact: '/contact',
  contactSent: '/contact/sent',
  offline: '/offline',
  deals: '/discounted-products',
  cart: '/cart',
  login: '/login',
  profile: '/my-profile',
  stockAlert: '/stock-alert',
  orders: '/orders',
  invoice: '/orders/invoice',
  orderLink: '/orders/link',
  admin: '/admin',
  adminProducts: '/admin/products',
  adminCollections: '/admin/collections',
  adminOrders: '/admin/orders',
  adminKitchen: '/admin/kitchen',
  adminUsers: '/admin/users',
  adminDeals: '/admin/discounted-products',
  adminCoupons: '/admin/coupons',
  adminMessages: '/admin/messages',
  adminBlog: '/admin/blog',
  adminPublishing: '/admin/publishing',
  adminSettings: '/admin/settings',
  privacy: '/privacy-policy',
  terms: '/terms-and-conditions',
  refund: '/cancellation-and-refund',
  shipping: '/shipping-and-delivery'
} as const

/** In the language of the page, request or mail. */
export const paths: typeof PATHS = lazily(PATHS, path => localPath(path))

interface PageLink {
  name: string
  path: string
}

export const homeLink = (): PageLink => ({ name: t('Home'), path: paths.home })
export const productsLink = (): PageLink => ({ name: t('Products'), path: paths.products })
export const listShopLinks = (): PageLink[] => [
  homeLink(),
  productsLink(),
  { name: t('Blog'), path: paths.blogs },
  { name: t('About'), path: paths.about },
  { name: t('Contact'), path: paths.contact },
  { name: t('Flash Deal'), path: paths.deals }
]

/** With the code of a language: the middleware puts the page's path in this language there. */
export const SWITCH_PATH = '/language/'
export const FEED_PATH = '/feeds/google.xml'
export const NOT_FOUND_PATH = '/404'
/** Redirects to `paths.orders`; the specification names both. */
export const MY_ORDERS_PATH = '/my-orders'
export const paymentPath = (orderId: string): string =>
  `${paths.cart}?order=${encodeURIComponent(orderId)}`
/** In the language of the order. */
export const invoicePath = (orderId: string, code?: Language): string =>
  localPath(`${PATHS.invoice}?order=${encodeURIComponent(orderId)}`, code)
export const creditNotePath = (orderId: string, number: string, code?: Language): string =>
  `${invoicePath(orderId, code)}&credit-note=${encodeURIComponent(number)}`

export const stockAlertPath = (productId: string): string =>
  `${paths.stockAlert}?product=${encodeURIComponent(productId)}`
/** The fragment is not sent to servers. */
export const stopAlertsPath = (token: string): string => `${paths.stockAlert}#stop=${token}`

export const invitationPath = (token: string): string => `${paths.login}#invite=${token}`

export const PRIVATE_PATHS: readonly string[] = [
  PATHS.cart,
  PATHS.login,
  PATHS.profile,
  PATHS.stockAlert,
  PATHS.orders,
  MY_ORDERS_PATH,
  PATHS.admin
]

export function isPrivatePath(path: string): boolean {
  return PRIVATE_PATHS.some(privatePath => isWithin(path, privatePath))
}

export function isAdminPath(path: string): boolean {
  return isWithin(path, PATHS.admin)
}

/** In any language. */
export function isSamePage(path: string, page: string): boolean {
  return toEnglishPath(path) === toEnglishPath(page)
}

function isWithin(path: string, parent: string) {
  return `${toEnglishPath(path)}/`.startsWith(`${parent}/`)
}

export function isInSitemap(path: string): boolean {
  return (
    !isPrivatePath(path) &&
    !isSamePage(path, PATHS.contactSent) &&
    !isSamePage(path, PATHS.offline) &&
    !isSamePage(path, NOT_FOUND_PATH)
  )
}

export function toCanonicalUrl(path: string, site: string): string {
  const { origin, pathname } = new URL(path, site)
  return pathname === '/' ? `${origin}/` : `${origin}${pathname.replace(/(\.html)?\/*$/, '')}`
}

export function toLoginPath(from: string): string {
  return from === paths.home
    ? paths.login
    : `${paths.login}?${new URLSearchParams({ return: from })}`
}

export function findReturnPath(query: string, referrer: string, origin: string): string {
  const requested = new URLSearchParams(query).get('return')
  return (
    (requested === null ? toLocalPath(referrer, origin) : parseReturnPath(requested, origin)) ??
    paths.home
  )
}

// Browsers treat `//evil.com` and `/\evil.com` as addresses of another site.
const LOCAL_PATH = /^\/(?![/\\])/

function parseReturnPath(address: string, origin: string) {
  return LOCAL_PATH.test(address) ? toLocalPath(address, origin) : undefined
}

function toLocalPath(address: string, origin: string) {
  try {
    const { origin: site, pathname, search, hash } = new URL(address, origin)
    const path = `${pathname}${search}${hash}`
    // The resolved path is tested too, because `/.//evil.com` resolves to `//evil.com`.
    return address !== '' && site === origin && LOCAL_PATH.test(path) && pathname !== paths.login
      ? path
      : undefined
  } catch {
    return undefined
  }
}

export interface Pages {
  products: ReadonlySet<string>
  posts: ReadonlySet<string>
  collections: ReadonlySet<string>
}

export function isShopPage(address: string, { products, posts, collections }: Pages): boolean {
  const path = toEnglishPath(address.replace(/[?#].*$/, ''))
  if (Object.values<unknown>(PATHS).includes(path)) return true
  const [, kind, id = '', ...rest] = path.split('/')
  const ids = { products, blogs: posts, collections }[kind ?? '']
  return rest.length === 0 && ids?.has(id) === true
}

export function toSlug(name: string, fallback: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return slug || fallback
}

export function findFreeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug
  for (let count = 2; ; count++) {
    if (!taken.has(`${slug}-${count}`)) return `${slug}-${count}`
  }
}
