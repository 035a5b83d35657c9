import type { LabelFacts, LabelProduct } from '../contract/kitchen.ts'
import { formatPaise, fromRupees, toPaise } from '../money.ts'
import { formatUnitPrice } from '../product.ts'
import { toShopAddressLines } from '../settings.ts'
import { addDays } from '../time.ts'

type Maker = LabelFacts['maker']

/** Returns the names of the empty fields. A label without one of these is not printed. */
export function findMissingOfProduct(product: LabelProduct): string[] {
  const { nameTamil, ingredients, allergens, nutrition, shelfLifeDays } = product
  return listEmpty({
    'Tamil name': nameTamil,
    Ingredients: ingredients.join(''),
    Allergens: allergens,
    Nutrition: nutrition,
    'Shelf life in days': shelfLifeDays === null ? '' : String(shelfLifeDays)
  })
}

export interface MissingSetting {
  label: string
  section: 'shop' | 'legal'
}

/** Without one of these, no label is printed. */
export function findMissingOfMaker({ legalName, address, phone, email, fssai }: Maker): MissingSetting[] {
  const shop = listEmpty({
    'Legal name': legalName,
    Address: address.street && address.city && address.pincode,
    'Phone number': phone,
    'Email address': email
  })
  const legal = listEmpty({ 'FSSAI number': fssai })
  return [
    ...shop.map(label => ({ label, section: 'shop' as const })),
    ...legal.map(label => ({ label, section: 'legal' as const }))
  ]
}

function listEmpty(fields: Readonly<Record<string, string>>): string[] {
  return Object.keys(fields).filter(label => fields[label]?.trim() === '')
}

export function makerText({ legalName, address }: Pick<Maker, 'legalName' | 'address'>): string {
  return [legalName, ...toShopAddressLines(address)].join(', ')
}

/** Grams or millilitres in one unit. */
const BASE_AMOUNTS = { g: 1, kg: 1000, ml: 1, l: 1000 } as const
const LARGE_UNITS = { g: 'kg', kg: 'kg', ml: 'l', l: 'l' } as const
const SMALL_UNITS = { g: 'g', kg: 'g', ml: 'ml', l: 'ml' } as const

/**
 * Unit sale price by rule 6(11) of the Legal Metrology (Packaged Commodities) Rules: per g or ml below 1 kg or 1 l,
 * otherwise per kg or l, or per piece. The price per 100 g is added, because a price per gram is too small to compare.
 */
export function unitPriceText({ mrp, quantity }: Pick<LabelProduct, 'mrp' | 'quantity'>): string {
  const { value, unit } = quantity
  if (!isMeasured(unit)) return `${formatPer(mrp, value)} per ${unit}`
  const amount = value * BASE_AMOUNTS[unit]
  if (amount >= 1000) return `${formatPer(mrp, amount / 1000)} per ${LARGE_UNITS[unit]}`
  const per100 = formatUnitPrice(mrp, quantity)
  return `${formatPer(mrp, amount)} per ${SMALL_UNITS[unit]}${per100 === undefined ? '' : ` (${per100})`}`
}

function isMeasured(unit: string): unit is keyof typeof BASE_AMOUNTS {
  return unit in BASE_AMOUNTS
}

function formatPer(rupees: number, count: number): string {
  return formatPaise(toPaise(Math.round(fromRupees(rupees) / count)))
}

/** Returns a day in India. `packedOn` is one, too. */
export function bestBefore({ shelfLifeDays }: Pick<LabelProduct, 'shelfLifeDays'>, packedOn: string): string {
  return addDays(packedOn, shelfLifeDays ?? 0)
}

/** The forms take several lines, but a label has no room for them. */
export function toOneLine(text: string): string {
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
