export const paths = {
  home: '/',
  products: '/products',
  product: (id: string) => `/products/${encodeURIComponent(id)}`,
  category: (name: string) => `/products?category=${encodeURIComponent(name)}`,
  blogs: '/blogs',
  blog: (id: string) => `/blogs/${encodeURIComponent(id)}`,
  about: '/about',
  contact: '/contact',
  contactSent: '/contact/sent',
  deals: '/discounted-products',
  cart: '/cart',
  login: '/login',
  profile: '/my-profile',
  orders: '/orders',
  admin: '/admin',
  adminProducts: '/admin/products',
  adminOrders: '/admin/orders',
  adminUsers: '/admin/users',
  adminDeals: '/admin/discounted-products',
  adminMessages: '/admin/messages',
  adminBlog: '/admin/blog',
  adminPublishing: '/admin/publishing',
  privacy: '/privacy-policy',
  terms: '/terms-and-conditions',
  refund: '/cancellation-and-refund',
  shipping: '/shipping-and-delivery'
} as const

/** The specification names both addresses; this one redirects to `paths.orders`. */
export const MY_ORDERS_PATH = '/my-orders'
/** The cart page shows the payment of this order. */
export const paymentPath = (orderId: string): string => `${paths.cart}?order=${encodeURIComponent(orderId)}`
export const INVOICE_PATH = `${paths.orders}/invoice`
export const invoicePath = (orderId: string): string => `${INVOICE_PATH}?order=${encodeURIComponent(orderId)}`

export const PRIVATE_PATHS: readonly string[] = [
  paths.cart,
  paths.login,
  paths.profile,
  paths.orders,
  '/my-orders',
  paths.admin
]

export function isPrivatePath(path: string): boolean {
  return PRIVATE_PATHS.some(privatePath => path === privatePath || path.startsWith(`${privatePath}/`))
}

export function isInSitemap(path: string): boolean {
  return !isPrivatePath(path) && path !== paths.contactSent && path !== '/404'
}

export function toCanonicalUrl(path: string, site: string): string {
  const { origin, pathname } = new URL(path, site)
  return pathname === '/' ? `${origin}/` : `${origin}${pathname.replace(/(\.html)?\/*$/, '')}`
}
