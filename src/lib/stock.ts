import { LOW_STOCK } from './constants.ts'

export const STOCK_WORDS = ['in', 'low', 'out'] as const
export type StockWord = (typeof STOCK_WORDS)[number]

/** The word that pages show; a page is published anew only when the word changes, not with each pack sold. */
export function stockWord(stock: number): StockWord {
  if (stock <= 0) return 'out'
  return stock <= LOW_STOCK ? 'low' : 'in'
}
