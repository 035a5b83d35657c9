import { DEFAULT_UNIT, LOW_STOCK_THRESHOLD, MAX_CART_QUANTITY } from './constants.ts'
import type { AdminProduct, LiveProduct, Product, ProductFields } from './contract/catalog.ts'
import { plural, t, text } from './contract/texts.ts'
import type { PackSize } from './contract/values.ts'
import { formatPaise, fromRupees, toPaise } from './money.ts'
import type { StockLevel } from './contract/names.ts'

/** `base`: how many of the small unit one has. */
export const MEASURES: Partial<Record<string, { base: number; small: string; large: string }>> = {
  g: { base: 1, small: 'g', large: 'kg' },
  kg: { base: 1000, small: 'g', large: 'kg' },
  ml: { base: 1, small: 'ml', large: 'l' },
  l: { base: 1000, small: 'ml', large: 'l' }
}

export function formatPack({ value, unit }: Pick<PackSize, 'value' | 'unit'>): string {
  if (unit === DEFAULT_UNIT) return plural(value, '{count} piece', '{count} pieces')
  const isPlural = MEASURES[unit] === undefined && value !== 1 && !unit.endsWith('s')
  return `${value} ${unit}${isPlural ? 's' : ''}`
}

export function formatUnitPrice(price: number, { value, unit }: PackSize): string | undefined {
  const measure = MEASURES[unit]
  const amount = value * (measure?.base ?? 100)
  if (amount === 100) return undefined
  const unitPrice = formatPaise(toPaise(Math.round((fromRupees(price) * 100) / amount)))
  const word = unit === DEFAULT_UNIT ? t('piece') : unit
  return `${unitPrice} / ${measure ? `100 ${measure.small}` : word}`
}

export function toUniqueName({
  name,
  quantity,
  family
}: Pick<Product, 'name' | 'quantity' | 'family'>): string {
  return family ? `${name}, ${formatPack(quantity)}` : name
}

export function compareSizes(a: Size, b: Size): number {
  return (
    (a.family?.position ?? 0) - (b.family?.position ?? 0) ||
    a.price - b.price ||
    a.id.localeCompare(b.id)
  )
}

type Size = Pick<Product, 'id' | 'family' | 'price'>

export const NO_LIMIT = text('No limit')

/** Null: cooked to order, without limit. */
export function toLimit({ stock, cookedToOrder }: AdminStock): number | null {
  return cookedToOrder ? null : stock
}

export type AdminStock = Pick<AdminProduct, 'stock' | 'cookedToOrder'>

export function formatStock({ stock, cookedToOrder }: AdminStock): string {
  if (cookedToOrder) return t(NO_LIMIT)
  return stock === 0 ? t('Sold out') : t('{count} in stock', { count: stock })
}

export function findLevel(product: AdminStock): StockLevel {
  return product.cookedToOrder ? 'in' : toStockLevel(product.stock)
}

export function toStockLevel(stock: number): StockLevel {
  if (stock <= 0) return 'out'
  return stock <= LOW_STOCK_THRESHOLD ? 'low' : 'in'
}

export function toPublishedStock(level: StockLevel): number {
  return { out: 0, low: 1, in: LOW_STOCK_THRESHOLD + 1 }[level]
}

export function findMaxQuantity(live: Pick<LiveProduct, 'stock' | 'left'> | undefined): number {
  if (live?.stock === 'out') return 0
  return Math.min(live?.left ?? MAX_CART_QUANTITY, MAX_CART_QUANTITY)
}

export function isSaleLower({ price, sale }: Pick<ProductFields, 'price' | 'sale'>): boolean {
  return !sale || sale.price < price
}

/** Tailwind also reads this file. */
export const CARD = {
  soldOut:
    'absolute inset-0 grid place-items-center bg-ink/60 p-2 text-center font-semibold text-paper',
  alone: 'only:col-[1/-1] only:mx-auto only:w-72',
  inCart: 'badge absolute left-2 top-2 bg-leaf text-paper',
  deal: 'badge-deal absolute bottom-2 left-2 mr-2'
} as const

export const CARD_SIZES = '(min-width: 1280px) 240px, (min-width: 768px) 33vw, calc(50vw - 1.5rem)'
export const CARD_MAX_WIDTH = 720

export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.slice(0, maxLength).search(/\s\S*$/)
  return `${text.slice(0, end < 0 ? maxLength - 1 : end).replace(/[,;:.]$/, '')}…`
}

/** On a phone's card: the first whole clause that fits two lines, if any. A list is no clause. */
export function toCardText(description: string): string {
  const clause =
    /^.{12,30}(?=[.;:] |$|(?<=\w), (?!\w+( \w+)?( and|,)))/.exec(description)?.[0] ?? ''
  return clause.replace(/[\w\p{M}\p{L}]$/u, '$&.')
}
