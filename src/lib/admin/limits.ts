export const PRODUCT_LIMITS = {
  name: 100,
  description: 2000,
  ingredients: 40,
  ingredient: 100,
  shelfLife: 100,
  minPriceRupees: 1,
  maxPriceRupees: 1_000_000,
  stock: 100_000,
  packValue: 100_000,
  pictures: 8,
  alt: 200
} as const

/** Maximum lengths in characters. */
export const POST_LIMITS = { title: 120, author: 100, excerpt: 200, content: 20_000, slug: 80 } as const

export const PACK_TYPES = { g: 'weight', kg: 'weight', ml: 'volume', l: 'volume', piece: 'count' } as const
export type PackUnit = keyof typeof PACK_TYPES
export const PACK_UNITS = Object.keys(PACK_TYPES) as PackUnit[]

export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

export const IMPORT_LIMITS = { rows: 2000, characters: 1_000_000 } as const

export const LIST_LIMITS = { pageSize: 25, maxSearchLength: 200 } as const

export const MESSAGE_FILTERS = ['unread', 'unanswered', 'all'] as const
export type MessageFilter = (typeof MESSAGE_FILTERS)[number]

export const SALES_CHART_DAYS = 30
export const MAX_LOW_STOCK_ROWS = 20
