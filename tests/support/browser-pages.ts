import { paths } from '#lib/paths.ts'

export const MYSORE_PAK = paths.product('mysore-pak')
export const NO_PRODUCT = paths.product('no-such-sweet')
export const NO_PAGE = '/no-such-page'

export const POLICIES = {
  privacy: paths.privacy,
  terms: paths.terms,
  refunds: paths.refund,
  shipping: paths.shipping
} as const

export const CONTENT_PAGES: Readonly<Record<string, string>> = {
  home: paths.home,
  product: MYSORE_PAK,
  blog: paths.blogs,
  about: paths.about,
  contact: paths.contact,
  ...POLICIES
}

export const PUBLIC_PAGES: Readonly<Record<string, string>> = {
  ...CONTENT_PAGES,
  'product list': paths.products,
  'flash deals': paths.deals,
  'not found': NO_PAGE,
  'product not found': NO_PRODUCT
}

/** Chromium logs a console error for every 404 page. */
export const NOT_FOUND_STATUS = /status of 404/
