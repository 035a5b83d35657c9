export const DIETARY = ['vegetarian', 'vegan'] as const
export type Dietary = (typeof DIETARY)[number]
export const DIETARY_CHOICES = ['all', ...DIETARY] as const
export type DietaryChoice = (typeof DIETARY_CHOICES)[number]

/** In rupees. ₹100.50 belongs to '101-200'. The specification sets the labels. */
export const PRICE_RANGES = [
  { id: 'all', label: 'All', over: -1, upTo: Infinity },
  { id: '0-100', label: '₹0 - ₹100', over: -1, upTo: 100 },
  { id: '101-200', label: '₹101 - ₹200', over: 100, upTo: 200 },
  { id: '201-300', label: '₹201 - ₹300', over: 200, upTo: 300 },
  { id: '301-500', label: '₹301 - ₹500', over: 300, upTo: 500 },
  { id: '501-700', label: '₹501 - ₹700', over: 500, upTo: 700 },
  { id: '701+', label: '₹701+', over: 700, upTo: Infinity }
] as const
export type PriceRangeId = (typeof PRICE_RANGES)[number]['id']

export const SORTS = ['price-low', 'price-high', 'rating'] as const
export type SortId = (typeof SORTS)[number]
export const DEFAULT_SORT: SortId = 'price-low'

/** Texts in the code are English. Another language has its own in `src/texts`. */
export const LANGUAGES = {
  en: { locale: 'en-IN', name: 'English', short: 'En' },
  ta: { locale: 'ta-IN', name: 'தமிழ்', short: 'த' }
} as const
export type Language = keyof typeof LANGUAGES
export const DEFAULT_LANGUAGE = 'en'
export type Translation = Exclude<Language, typeof DEFAULT_LANGUAGE>
export const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code)
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[]
export const TRANSLATIONS = LANGUAGE_CODES.filter(code => code !== DEFAULT_LANGUAGE)

export const CURRENCY = 'INR'
export const TIME_ZONE = 'Asia/Kolkata'

export const DEFAULT_UNIT = 'piece'
export const DEFAULT_QUANTITY_TYPE = 'count'
export const MIN_CART_QUANTITY = 1
export const MAX_CART_QUANTITY = 99

export const CART_LIMITS = { lines: 50 } as const
export const COUPON_LIMITS = {
  minCode: 4,
  code: 20,
  typedCode: 60,
  maxRupees: 100_000,
  uses: 1_000_000
} as const
export const ORDER_LIMITS = {
  lines: 50,
  openReservations: 3,
  maxBatch: 100,
  maxExported: 10_000,
  maxReasonLength: 500,
  note: 300,
  giftMessage: 200,
  courier: 60
} as const
export const ORDER_STATUSES = [
  'pending',
  'packed',
  'shipped',
  'ready',
  'delivered',
  'checking',
  'expired',
  'cancelled'
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]
export const CANCEL_BLOCKS = ['perishable', 'later_day', 'packed', 'shipped'] as const
export type CancelBlock = (typeof CANCEL_BLOCKS)[number]
export const PAYMENT_STATUSES = ['pending', 'completed', 'refunding', 'refunded', 'failed'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
export const MIN_PAYMENT_PAISE = 100
export const DELIVERY_DAYS_AHEAD = { earliest: 2, latest: 30 } as const

export const LOW_STOCK_THRESHOLD = 5

/** A discount above `usual` must be confirmed. */
export const DEAL_PERCENT = { min: 0, max: 100, lowestDraw: 1, usual: 40 } as const
export const DRAW_ANIMATION = { steps: 40, minPercent: 1, maxPercent: 100 } as const

export const PREBUILT_PRODUCT_CARDS = 48
export const CARDS_PER_PAGE = 24

/** In lower case. */
export const EMAIL = /^[\w'+\-]+(?:\.[\w'+\-]+)*@(?:[a-z\d][a-z\d\-]*\.)+[a-z]{2,}$/
export const PINCODE = /^[1-9]\d{5}$/
/** Only India Post delivers to the Army Postal Service. Its pincodes tell no state. */
export const ARMY_PINCODE = /^9/
export const PHONE_PATTERN = String.raw`\+?[\d\s\(\)\-]{8,20}`

export const CONTACT_LIMITS = {
  name: 100,
  email: 254,
  phone: 40,
  message: 4000,
  answer: 4000
} as const

export const FIRST_ADMIN_NAME = 'Administrator'

export const ACCOUNT_LIMITS = {
  email: 254,
  name: 100,
  passwordMin: 6,
  password: 200,
  addressLine: 200
} as const
export const DEVICE_HEADER = 'device-token'
export const DEFAULT_COUNTRY = 'India'
export const DEFAULT_COUNTRY_CODE = '+91'

/** Of the first administrator. It gets no mail. */
export const PLACEHOLDER_EMAIL = 'admin@localhost.test'

export const CODE_LENGTH = 6

export const AUDIT_KINDS = [
  'product',
  'stock',
  'collection',
  'deal',
  'coupon',
  'post',
  'user',
  'order',
  'message',
  'publish',
  'settings'
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** SVG paths for a `viewBox` of "-35 -35 70 70". */
export const LOGO = {
  line: 'M11.2-20C11.2-26.2 6.2-31.2 0-31.2S-11.2-26.2-11.2-20C-11.2-14.2-4.1-14.1 0-10S5.9-4.1 10 0S14.2 11.2 20 11.2C26.2 11.2 31.2 6.2 31.2 0S26.2-11.2 20-11.2C14.2-11.2 14.1-4.1 10 0S4.1 5.9 0 10S-11.2 14.2-11.2 20C-11.2 26.2-6.2 31.2 0 31.2S11.2 26.2 11.2 20C11.2 14.2 4.1 14.1 0 10S-5.9 4.1-10 0S-14.2-11.2-20-11.2C-26.2-11.2-31.2-6.2-31.2 0S-26.2 11.2-20 11.2C-14.2 11.2-14.1 4.1-10 0S-4.1-5.9 0-10S11.2-14.2 11.2-20Z',
  dots: 'M0-20h.01M-20 0h.01M0 0h.01M20 0h.01M0 20h.01'
} as const

export const PRODUCT_LIMITS = {
  name: 100,
  description: 2000,
  ingredients: 40,
  ingredient: 100,
  shelfLife: 100,
  shelfLifeDays: 3650,
  kitchenUnits: 1000,
  extraLeadDays: 60,
  allergens: 300,
  nutrition: 1000,
  minPriceRupees: 1,
  maxPriceRupees: 1_000_000,
  stock: 100_000,
  packValue: 100_000,
  pictures: 8,
  alt: 200
} as const

export const COLLECTION_LIMITS = {
  name: 60,
  description: 500,
  collections: 50,
  products: 100
} as const

export const POST_LIMITS = {
  title: 120,
  author: 100,
  excerpt: 200,
  content: 20_000,
  slug: 80
} as const

/** Stands for a saved password or key, which no reply contains. */
export const SAVED_SECRET = '•'.repeat(16)

export const SETTING_LIMITS = {
  name: 60,
  button: 30,
  line: 200,
  text: 500,
  policy: 30_000,
  list: 12,
  banners: 5,
  bestsellers: 8,
  categories: 30,
  taxRates: 60,
  taxProducts: 100,
  zones: 30,
  zonePincodes: 5000,
  closedDates: 100,
  synonyms: 6000,
  minimumOrder: 100_000
} as const

export const PACK_UNITS = ['g', 'kg', 'ml', 'l', 'piece'] as const
type PackUnit = (typeof PACK_UNITS)[number]
export const PACK_TYPES: Record<PackUnit, string> = {
  g: 'weight',
  kg: 'weight',
  ml: 'volume',
  l: 'volume',
  piece: 'count'
}

export const MAX_PICTURE_BYTES = 10 * 1024 * 1024
export const IMPORT_LIMITS = { rows: 2000, characters: 1_000_000 } as const
export const LIST_LIMITS = { pageSize: 25, maxSearchLength: 200 } as const
export const MESSAGE_FILTERS = ['unread', 'unanswered', 'all'] as const
export const SALES_CHART_DAYS = 30
export const MAX_MISSED_SEARCH = 60
