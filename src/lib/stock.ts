import { LOW_STOCK } from './constants.ts'

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
