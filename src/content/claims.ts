import { DEFAULT_COUNTRY } from '#lib/constants.ts'
import type { Product } from '#lib/contract/catalog.ts'
import type { ShopSettings } from '#lib/contract/settings.ts'
import { langOf, locale, plural, t } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'

const FATS =
  /\b(ghee|butter|(groundnut|gingelly|coconut) oil)\b|நெய்|வெண்ணெய்|நல்லெண்ணெய்|(கடலை|தேங்காய்) ?எண்ணெய்/i

/** Names the fat, which says most about a sweet or savoury: 'Made with ghee', or ''. */
export function madeWith(ingredients: readonly string[]): string {
  const fat = ingredients.find(name => FATS.test(name))
  return fat && !langOf(fat)
    ? t('Made with {fat}', { fat: fat.replace(/ *\(.*/, '').toLowerCase() })
    : ''
}

interface ShopFacts {
  products: readonly Pick<Product, 'dietary' | 'cookedToOrder'>[]
  daysToDelivery: number
  area: ShopSettings['delivery']['area']
  fssai: string
}

/** In place of claims that the owner has not written. Empty for a shop without products. */
export function listShopFacts({ products, daysToDelivery, area, fssai }: ShopFacts): string[] {
  if (products.length === 0) return []
  const isVegan = products.every(({ dietary }) => dietary === 'vegan')
  return [
    products.every(({ cookedToOrder }) => cookedToOrder) ? MESSAGES.cookedToOrder : '',
    t(isVegan ? 'All vegan' : 'All vegetarian'),
    t('Delivery from {day}', { day: daysAfterOrder(daysToDelivery) }),
    toAreaText(area),
    fssai && t('FSSAI Lic. No. {fssai}', { fssai })
  ].filter(Boolean)
}

export function daysAfterOrder(days: number): string {
  return days === 0
    ? t('the day you order')
    : plural(days, '{count} day after you order', '{count} days after you order')
}

function toAreaText({ across, places }: ShopFacts['area']) {
  const place = across === DEFAULT_COUNTRY ? t('India') : across
  if (place !== '') return t('Delivered across {place}', { place })
  const names = new Intl.ListFormat(locale()).format(places)
  return names && t('Delivered in {places}', { places: names })
}
