import { t } from '../contract/texts.ts'
import type { LabelFacts, LabelProduct } from '../contract/kitchen.ts'
import { formatPaise, fromRupees, toPaise } from '../money.ts'
import { formatUnitPrice, MEASURES } from '../product.ts'
import { toShopAddressLines } from '../settings.ts'

type Maker = LabelFacts['maker']

/** What an adviser would add. A label is printed without it. */
export function findMissingOfProduct(product: LabelProduct): string[] {
  const { ingredients, allergens, nutrition, shelfLifeDays } = product
  return listEmpty([
    [t('Ingredients'), ingredients.join('')],
    [t('Allergens'), allergens],
    [t('Nutrition'), nutrition],
    [t('Shelf life in days'), shelfLifeDays === null ? '' : String(shelfLifeDays)]
  ])
}

/** By the section of the settings that has it. */
export function findMissingOfMaker(maker: Maker): Record<'shop' | 'legal', string[]> {
  const { legalName, address, phone, email, fssai } = maker
  return {
    shop: listEmpty([
      [t('Legal name'), legalName],
      [t('Address'), address.street && address.city && address.pincode],
      [t('Phone number'), phone],
      [t('Email address'), email]
    ]),
    legal: listEmpty([[t('FSSAI number'), fssai]])
  }
}

function listEmpty(fields: readonly (readonly [label: string, value: string])[]) {
  return fields.flatMap(([label, value]) => (value.trim() === '' ? [label] : []))
}

export function makerText({
  name,
  legalName,
  address
}: Pick<Maker, 'name' | 'legalName' | 'address'>): string {
  return [legalName || name, ...toShopAddressLines(address)].filter(Boolean).join(', ')
}

/**
 * Unit sale price by rule 6(11) of the Legal Metrology (Packaged Commodities) Rules: per g or ml
 * below 1 kg or 1 l. The price per 100 g is added, because one per gram is too small to compare.
 */
export function unitPriceText({ mrp, quantity }: Pick<LabelProduct, 'mrp' | 'quantity'>): string {
  const { value, unit } = quantity
  const measure = MEASURES[unit]
  if (!measure) return `${formatPer(mrp, value)} per ${unit}`
  const amount = value * measure.base
  if (amount >= 1000) return `${formatPer(mrp, amount / 1000)} per ${measure.large}`
  const per100 = formatUnitPrice(mrp, quantity)
  return `${formatPer(mrp, amount)} per ${measure.small}${per100 === undefined ? '' : ` (${per100})`}`
}

function formatPer(rupees: number, count: number) {
  return formatPaise(toPaise(Math.round(fromRupees(rupees) / count)))
}

export function joinLines(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim().replace(/[,;]$/, ''))
    .filter(line => line !== '')
    .join(', ')
}

export interface LabelCopies {
  product: LabelProduct
  count: number
}

export function labelsOfOrders(
  products: readonly LabelProduct[],
  orders: readonly { lines: readonly { product: { id: string }; quantity: number }[] }[]
): LabelCopies[] {
  const lines = orders.flatMap(order => order.lines)
  return products.flatMap(product => {
    const own = lines.filter(line => line.product.id === product.id)
    const count = own.reduce((total, { quantity }) => total + quantity, 0)
    return count > 0 ? [{ product, count }] : []
  })
}
