/** Characters, rupees, packs and counts: what a product may hold at most. */
export const PRODUCT_LIMITS = {
  name: 100,
  description: 2000,
  ingredients: 40,
  ingredient: 100,
  shelfLife: 100,
  /** In rupees. */
  minPrice: 1,
  price: 1_000_000,
  stock: 100_000,
  packValue: 100_000,
  pictures: 8,
  alt: 200
} as const

/** Characters of a post; a page of print has about 3,000. */
export const POST_LIMITS = { title: 120, author: 100, excerpt: 200, content: 20_000, slug: 80 } as const

/** The units in which packs are sold, and what kind of measure each is. */
export const PACK_TYPES = { g: 'weight', kg: 'weight', ml: 'volume', l: 'volume', piece: 'count' } as const
export type PackUnit = keyof typeof PACK_TYPES
export const PACK_UNITS = Object.keys(PACK_TYPES) as PackUnit[]

/** Of one file, in bytes. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

export const IMPORT_LIMITS = { rows: 2000, characters: 1_000_000 } as const

/** Of lists that come in pages: rows of a page, and characters that are searched. */
export const LIST_LIMITS = { page: 25, search: 200 } as const

export const MESSAGE_FILTERS = ['unread', 'unanswered', 'all'] as const
export type MessageFilter = (typeof MESSAGE_FILTERS)[number]

/** Of the dashboard's chart. */
export const SALES_CHART_DAYS = 30
/** Products with few packs that it lists at most. */
export const MAX_LOW_STOCK_ROWS = 20
