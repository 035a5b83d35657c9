import { LOW_STOCK_THRESHOLD, MAX_CART_QUANTITY } from './constants.ts'
import type { LiveProduct } from './contract/catalog.ts'

export const STOCK_LEVELS = ['in', 'low', 'out'] as const
export type StockLevel = (typeof STOCK_LEVELS)[number]

export function toStockLevel(stock: number): StockLevel {
  if (stock <= 0) return 'out'
  return stock <= LOW_STOCK_THRESHOLD ? 'low' : 'in'
}

/** Returns a fixed number per stock level. Static pages contain it, not the stock, so most sales change no page. */
export function toPublishedStock(stock: number): number {
  return { out: 0, low: 1, in: LOW_STOCK_THRESHOLD + 1 }[toStockLevel(stock)]
}

export function findMaxQuantity(live: Pick<LiveProduct, 'stock' | 'left'> | undefined): number {
  if (live?.stock === 'out') return 0
  return Math.min(live?.left ?? MAX_CART_QUANTITY, MAX_CART_QUANTITY)
}
