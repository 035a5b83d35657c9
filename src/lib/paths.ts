export const paths = {
  home: '/',
  products: '/products',
  product: (id: string) => `/products/${encodeURIComponent(id)}`,
  category: (name: string) => `/products?category=${encodeURIComponent(name)}`,
  collection: (id: string) => `/collections/${encodeURIComponent(id)}`,
  blogs: '/blogs',
  blog: (id: string) => `/blogs/${encodeURIComponent(id)}`,
  about: '/about',
  contact: '/contact',
  contactSent: '/contact/sent',
  deals: '/discounted-products',
  cart: '/cart',
  login: '/login',
  profile: '/my-profile',
  stockAlert: '/stock-alert',
  orders: '/orders',
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

export const HOME_LINK = { name: 'Home', path: paths.home }
export const PRODUCTS_LINK = { name: 'Products', path: paths.products }
export const SHOP_LINKS = [
  HOME_LINK,
  PRODUCTS_LINK,
  { name: 'Blog', path: paths.blogs },
  { name: 'About', path: paths.about },
  { name: 'Contact', path: paths.contact },
  { name: 'Flash Deal', path: paths.deals }
]

/** Redirects to `paths.orders`; the specification names both. */
export const MY_ORDERS_PATH = '/my-orders'
export const paymentPath = (orderId: string): string =>
  `${paths.cart}?order=${encodeURIComponent(orderId)}`
export const INVOICE_PATH = `${paths.orders}/invoice`
export const invoicePath = (orderId: string): string =>
  `${INVOICE_PATH}?order=${encodeURIComponent(orderId)}`
export const creditNotePath = (orderId: string, number: string): string =>
  `${invoicePath(orderId)}&credit-note=${encodeURIComponent(number)}`

export const stockAlertPath = (productId: string): string =>
  `${paths.stockAlert}?product=${encodeURIComponent(productId)}`
/** The fragment is not sent to servers. */
export const stopAlertsPath = (token: string): string => `${paths.stockAlert}#stop=${token}`

export const invitationPath = (token: string): string => `${paths.login}#invite=${token}`

export const PRIVATE_PATHS: readonly string[] = [
  paths.cart,
  paths.login,
  paths.profile,
  paths.stockAlert,
  paths.orders,
  MY_ORDERS_PATH,
  paths.admin
]

export function isPrivatePath(path: string): boolean {
  return PRIVATE_PATHS.some(privatePath => isWithin(path, privatePath))
}

export function isAdminPath(path: string): boolean {
  return isWithin(path, paths.admin)
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

export function isInSitemap(path: string): boolean {
  return !isPrivatePath(path) && path !== paths.contactSent && path !== '/404'
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

function parseReturnPath(address: string, origin: string): string | undefined {
  return LOCAL_PATH.test(address) ? toLocalPath(address, origin) : undefined
}

function toLocalPath(address: string, origin: string): string | undefined {
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
  const path = address.replace(/[?#].*$/, '')
  if (Object.values<unknown>(paths).includes(path)) return true
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

/** WhatsApp needs the country code. */
export function toWhatsAppLink(phone: string, text = ''): string {
  const digits = phone.replace(/\D/g, '').replace(/^0+/, '')
  const number = digits.length === 10 ? `91${digits}` : digits
  return `https://wa.me/${number}${text && `?${new URLSearchParams({ text })}`}`
}
