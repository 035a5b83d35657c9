/** The business constants of the shop, each in one place. Money in rupees where a shopper reads it, times in `time.ts`. */

export const CATEGORIES = ['powders', 'savouries', 'pickles', 'sweets', 'seer_items'] as const
export type CategoryName = (typeof CATEGORIES)[number]

export const DIETARY = ['vegetarian', 'vegan'] as const
export type Dietary = (typeof DIETARY)[number]
export const DIETARY_CHOICES = ['all', ...DIETARY] as const
export type DietaryChoice = (typeof DIETARY_CHOICES)[number]

/** Half-open bounds in rupees, `over < price <= upTo`, so that ₹100.50 is in 101-200 (the labels are the specification's). */
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

export const SORTS = [
  { id: 'price-low', label: 'Price: low to high' },
  { id: 'price-high', label: 'Price: high to low' },
  { id: 'rating', label: 'Rating' }
] as const
export type SortId = (typeof SORTS)[number]['id']

export const CURRENCY = 'INR'
export const LOCALE = 'en-IN'
export const TIME_ZONE = 'Asia/Kolkata'

export const DEFAULT_UNIT = 'piece'
export const DEFAULT_QUANTITY_TYPE = 'count'
export const MIN_CART_QUANTITY = 1
/** A line longer than this is a slip of the thumb, not a wedding: larger orders are a phone call. */
export const MAX_CART_QUANTITY = 99

export const CART_LIMITS = { lines: 50 } as const
export const ORDER_LIMITS = {
  lines: 50,
  /** Checkouts of one shopper that may hold goods at a time. */ openHolds: 3
} as const
/** The specification's three, and those of an order that is not (any more) on its way; these show grey. */
export const ORDER_STATUSES = ['pending', 'packed', 'delivered', 'checking', 'expired', 'cancelled'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]
export const PAYMENT_STATUSES = ['pending', 'completed', 'refunding', 'refunded', 'failed'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
export const PAYMENT_METHOD = 'razorpay'
/** How the provider's window is coloured: the shop's chilli red. */
export const PAYMENT_THEME = { color: '#9B2C1F' } as const
/** The least that the provider takes, in paise. */
export const LEAST_PAYMENT = 100
/** The earliest delivery is this many days from today in India; the latest that may be chosen, that many. */
export const DELIVERY_DAYS = { earliest: 2, latest: 30 } as const

/** What can't go back on a shelf once it is cooked for: an order that holds any is not cancelled by itself. */
export const PERISHABLE: readonly CategoryName[] = ['sweets', 'savouries', 'seer_items']

/** From this many packs down the shop says that few are left. */
export const LOW_STOCK = 5

/** What a deal may take off; a draw is from the least up to the deal's own. */
export const DEAL_PERCENT = { least: 1, most: 100 } as const
/** The numbers that run past before a drawn discount stands. */
export const SPIN = { steps: 40, least: 1, most: 100 } as const

export const MAX_THUMBNAILS = 4
/** How many cards `/products` prebuilds; the rest come from the API behind "Load more". */
export const PREBUILT_CARDS = 48
/** How many more each press of "Load more" shows. */
export const CARDS_PER_PAGE = 24

export const CONTACT_LIMITS = { name: 100, email: 254, message: 4000 } as const

/** What a good phone takes; a small file that unfolds to more is an attack. */
export const MAX_PICTURE_PIXELS = 24_000_000

/** Characters. */
export const ACCOUNT_LIMITS = { email: 254, name: 100, shortestPassword: 6, password: 200, addressLine: 200 } as const
export const DEFAULT_COUNTRY = 'India'
export const DEFAULT_COUNTRY_CODE = '+91'

export const CODE_LENGTH = 6
/** Wrong codes that are forgiven; the two latest codes share them. */
export const CODE_TRIES = 5
export const CODES_PER_ADDRESS = { hour: 5, day: 10 } as const
/** Of one internet address, each an hour; many shoppers may be behind one. */
export const PER_IP_AND_HOUR = { codes: 20, codeTries: 60, registrations: 20, draws: 40 } as const
/** Of one account, an hour. */
export const PASSWORD_CHANGES = 10
/** Wrong passwords within `PASSWORD_WINDOW`. */
export const PASSWORD_TRIES = { account: 10, ip: 50 } as const

/** Of what is remembered who changed it. */
export const AUDIT_KINDS = ['product', 'stock', 'deal', 'post', 'user', 'order', 'message', 'publish'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]
/** What `publish` changes: there is one site. */
export const PUBLISHED_SITE = 'site'
