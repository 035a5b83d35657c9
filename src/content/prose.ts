import * as about from '#prose/about.md'
import * as refund from '#prose/cancellation-and-refund.md'
import * as privacy from '#prose/privacy-policy.md'
import * as shipping from '#prose/shipping-and-delivery.md'
import * as terms from '#prose/terms-and-conditions.md'
import type { ShopDetails } from '#lib/contract/shop.ts'
import { renderMarkdown } from './render-markdown.ts'

const TEXTS = { about, refund, privacy, shipping, terms }

export interface Prose {
  title: string
  description: string
  /** The day of the last change, as ISO. */
  updated: string
  html: string
}

/** A text of the shop, with the owner's details in its places: `{email}`, `{phone}`, `{address}` … */
export function getProse(name: keyof typeof TEXTS, shop: ShopDetails): Prose {
  const { frontmatter, rawContent } = TEXTS[name]
  const places = placesOf(shop)
  const filled = rawContent().replace(/\{(\w+)\}/g, (_: string, place: string) => {
    const value = places[place]
    if (value === undefined) throw new Error(`${name}.md has a place {${place}} that shop.json can't fill`)
    return value
  })
  const { title, description, updated } = frontmatter
  return { title, description, updated, html: renderMarkdown(filled) }
}

function placesOf({
  legalName,
  email,
  phone,
  fssai,
  grievanceOfficer,
  address,
  hours
}: ShopDetails): Record<string, string> {
  const { street, area, city, state, pincode, country } = address
  return {
    ...{ name: legalName, email, phone, fssai, hours },
    address: `${street}, ${area}, ${city} ${pincode}, ${state}, ${country}`,
    grievanceOfficer: grievanceOfficer.name
  }
}
