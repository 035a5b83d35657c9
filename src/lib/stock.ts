import { LOW_STOCK, MAX_CART_QUANTITY } from './constants.ts'
import type { LiveProduct } from './contract/catalog.ts'

export const STOCK_WORDS = ['in', 'low', 'out'] as const
export type StockWord = (typeof STOCK_WORDS)[number]

/** The word that pages show; a page is published anew only when the word changes, not with each pack sold. */
export function stockWord(stock: number): StockWord {
  if (stock <= 0) return 'out'
  return stock <= LOW_STOCK ? 'low' : 'in'
}

/** The least stock of the same word: what prebuilt pages know of it, so that a pack sold changes none of them. */
export function shownStock(stock: number): number {
  return { out: 0, low: 1, in: LOW_STOCK + 1 }[stockWord(stock)]
}

/** How many packs of a product one order may hold, as far as is known. */
export function mostOf(live: Pick<LiveProduct, 'stock' | 'left'> | undefined): number {
  if (live?.stock === 'out') return 0
  return Math.min(live?.left ?? MAX_CART_QUANTITY, MAX_CART_QUANTITY)
}
