import { LOW_STOCK, MAX_CART_QUANTITY } from './constants.ts'
import type { LiveProduct } from './contract/catalog.ts'

export const STOCK_LEVELS = ['in', 'low', 'out'] as const
export type StockLevel = (typeof STOCK_LEVELS)[number]

export function stockLevel(stock: number): StockLevel {
  if (stock <= 0) return 'out'
  return stock <= LOW_STOCK ? 'low' : 'in'
}

/** The lowest stock of the same level. Static pages show only this, so that most sales need no publish. */
export function publishedStock(stock: number): number {
  return { out: 0, low: 1, in: LOW_STOCK + 1 }[stockLevel(stock)]
}

export function maxQuantity(live: Pick<LiveProduct, 'stock' | 'left'> | undefined): number {
  if (live?.stock === 'out') return 0
  return Math.min(live?.left ?? MAX_CART_QUANTITY, MAX_CART_QUANTITY)
}
