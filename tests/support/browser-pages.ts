import { paths } from '#lib/paths.ts'

/** Two products of the demo catalogue: one that can be bought, and one page that has never been there. */
export const MYSORE_PAK = paths.product('mysore-pak')
export const NO_PRODUCT = paths.product('no-such-sweet')
export const NO_PAGE = '/no-such-page'

export const POLICIES = {
  privacy: paths.privacy,
  terms: paths.terms,
  refunds: paths.refund,
  shipping: paths.shipping
} as const

/** What must be complete without JavaScript. */
export const CONTENT_PAGES: Readonly<Record<string, string>> = {
  home: paths.home,
  product: MYSORE_PAK,
  blog: paths.blogs,
  about: paths.about,
  contact: paths.contact,
  ...POLICIES
}

/** Every page of this release that anyone may see, with what an unknown address shows. */
export const PUBLIC_PAGES: Readonly<Record<string, string>> = {
  ...CONTENT_PAGES,
  'product list': paths.products,
  'flash deals': paths.deals,
  'not found': NO_PAGE,
  'product not found': NO_PRODUCT
}

/** The browser reports the status of a page that is not there; the page itself is what it should be. */
export const NOT_FOUND_STATUS = /status of 404/
