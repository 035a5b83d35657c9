import type { PackSize } from './contract/values.ts'
import { formatPaise, fromRupees, paise } from './money.ts'

const MEASURES: Record<string, { base: number; per: string } | undefined> = {
  g: { base: 1, per: '100 g' },
  kg: { base: 1000, per: '100 g' },
  ml: { base: 1, per: '100 ml' },
  l: { base: 1000, per: '100 ml' }
}

export function formatPack({ value, unit }: PackSize): string {
  const counted = MEASURES[unit] === undefined && value !== 1 && !unit.endsWith('s')
  return `${value} ${unit}${counted ? 's' : ''}`
}

/** '₹72.00 / 100 g'; undefined for products sold by the piece and for packs of exactly that size. */
export function unitPrice(price: number, { value, unit }: PackSize): string | undefined {
  const measure = MEASURES[unit]
  if (!measure || value * measure.base === 100) return undefined
  return `${formatPaise(paise(Math.round((fromRupees(price) * 100) / (value * measure.base))))} / ${measure.per}`
}
