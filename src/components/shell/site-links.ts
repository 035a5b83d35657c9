import { paths } from '#lib/paths.ts'

export interface SiteLink {
  name: string
  path: string
}

export const SHOP_LINKS: readonly SiteLink[] = [
  { name: 'Home', path: paths.home },
  { name: 'Products', path: paths.products },
  { name: 'Blog', path: paths.blogs },
  { name: 'About', path: paths.about },
  { name: 'Contact', path: paths.contact },
  { name: 'Flash Deal', path: paths.deals }
]

export const POLICY_LINKS: readonly SiteLink[] = [
  { name: 'Privacy Policy', path: paths.privacy },
  { name: 'Terms and Conditions', path: paths.terms },
  { name: 'Cancellation and Refund', path: paths.refund },
  { name: 'Shipping and Delivery', path: paths.shipping }
]
