import type { ShopDetails } from '#lib/contract/content.ts'
import * as about from '#prose/about.md'
import * as refund from '#prose/cancellation-and-refund.md'
import * as privacy from '#prose/privacy-policy.md'
import * as shipping from '#prose/shipping-and-delivery.md'
import * as terms from '#prose/terms-and-conditions.md'
import { renderMarkdown } from './render-markdown.ts'

const TEXTS = { about, refund, privacy, shipping, terms }

export interface Prose {
  title: string
  description: string
  /** ISO date. */
  updated: string
  html: string
}

/** Renders the text and replaces placeholders such as `{email}` with the shop's details. */
export function getProse(name: keyof typeof TEXTS, shop: ShopDetails): Prose {
  const { frontmatter, rawContent } = TEXTS[name]
  const values = placeholderValues(shop)
  const filled = rawContent().replace(/\{(\w+)\}/g, (_: string, placeholder: string) => {
    const value = values[placeholder]
    if (value === undefined) throw new Error(`${name}.md uses {${placeholder}}, which shop.json does not define`)
    return value
  })
  const { title, description, updated } = frontmatter
  return { title, description, updated, html: renderMarkdown(filled) }
}

function placeholderValues({
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
    name: legalName,
    email,
    phone,
    fssai,
    hours,
    address: `${street}, ${area}, ${city} ${pincode}, ${state}, ${country}`,
    grievanceOfficer: grievanceOfficer.name
  }
}
