import type { Product } from './contract/catalog.ts'
import type { Settings } from './contract/settings.ts'
import { findElsewhere, findZone, OTHER_PINCODE } from './delivery/terms.ts'
import { formatCount } from './messages.ts'

/** Names the fat, which says most about a sweet or savoury: 'Made with ghee', or ''. */
export function madeWith(ingredients: readonly string[]): string {
  const fat = ingredients.find(name =>
    /\b(ghee|butter|(groundnut|gingelly|coconut) oil)\b/i.test(name)
  )
  return fat ? `Made with ${fat.replace(/ *\(.*/, '').toLowerCase()}` : ''
}

interface ShopFacts {
  products: readonly Pick<Product, 'dietary' | 'cookedToOrder'>[]
  daysToDelivery: number
  area: string
  fssai: string
}

/** In place of claims that the owner has not written. Empty for a shop without products. */
export function listShopFacts({ products, daysToDelivery, area, fssai }: ShopFacts): string[] {
  if (products.length === 0) return []
  const isVegan = products.every(({ dietary }) => dietary === 'vegan')
  return [
    products.every(({ cookedToOrder }) => cookedToOrder) ? 'Cooked to order' : '',
    `All ${isVegan ? 'vegan' : 'vegetarian'}`,
    `Delivery from ${daysAfterOrder(daysToDelivery)}`,
    area && `Delivered ${area}`,
    fssai && `FSSAI Lic. No. ${fssai}`
  ].filter(Boolean)
}

export function daysAfterOrder(days: number): string {
  return days === 0 ? 'the day you order' : `${formatCount(days, 'day')} after you order`
}

const MAX_PLACES = 3

/**
 * Where the shop delivers, for example 'across India'. Empty if the owner has not said so, or named
 * too many places for a line. `servedState` is '' for all states and null for none.
 */
export function describeArea(delivery: Settings['delivery'], servedState: string | null): string {
  const zones = delivery.zones.filter(({ active }) => active)
  if (servedState === null || (zones.length === 0 && delivery.elsewhere === '')) return ''
  if (findElsewhere(delivery) ?? findZone(zones, OTHER_PINCODE))
    return `across ${servedState || 'India'}`
  if (zones.length > MAX_PLACES) return ''
  return `in ${new Intl.ListFormat('en-IN').format(zones.map(({ name }) => name))}`
}
