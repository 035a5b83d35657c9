export const STAFF = ['owner', 'manager', 'kitchen'] as const
export type Staff = (typeof STAFF)[number]

/** What rings the bell. `problem`: something needs the owner. */
export const BELL_KINDS = ['order', 'cancelled', 'stock', 'problem'] as const
export type BellKind = (typeof BELL_KINDS)[number]

export const STOCK_LEVELS = ['in', 'low', 'out'] as const
export type StockLevel = (typeof STOCK_LEVELS)[number]

export const LINE_PROBLEMS = [
  'gone',
  'out_of_stock',
  'too_few',
  'discount_ended',
  'discount_used'
] as const
export type LineProblem = (typeof LINE_PROBLEMS)[number]

/** A line never has more than one. */
export const REDUCTIONS = ['draw', 'sale', 'coupon'] as const
export type Reduction = (typeof REDUCTIONS)[number]

export const COUPON_PROBLEMS = ['minimum', 'no_items', 'no_gain'] as const
export type CouponProblem = (typeof COUPON_PROBLEMS)[number]

export const ZONE_METHODS = ['own', 'courier'] as const
export const DELIVERY_METHODS = [...ZONE_METHODS, 'pickup'] as const
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

/** Where a delivery fee applies, from small to large. */
export const ZONE_AREAS = ['typed', 'city', 'district', 'state', 'india'] as const

/** Not chosen, not served, or served by courier. */
export const ELSEWHERE = ['', 'none', 'courier'] as const

export const FULFILMENT_STEPS = {
  own: ['pending', 'packed', 'delivered'],
  courier: ['pending', 'packed', 'shipped', 'delivered'],
  pickup: ['pending', 'packed', 'ready', 'delivered']
} as const satisfies Record<DeliveryMethod, readonly string[]>
export type FulfilmentStatus = (typeof FULFILMENT_STEPS)[DeliveryMethod][number]

export const KITCHEN_FILTERS = ['pending', 'packed', 'shipped', 'ready'] as const
export const FULFILMENT_STATUSES = [...KITCHEN_FILTERS, 'delivered'] as const
export const ORDER_FILTERS = [...FULFILMENT_STATUSES, 'cancelled', 'paid', 'unpaid'] as const
export type OrderFilter = (typeof ORDER_FILTERS)[number]

export const REFUND_CAUSES = [
  'broken',
  'missing',
  'wrong',
  'late',
  'asked',
  'kindness',
  'other'
] as const
export type RefundCause = (typeof REFUND_CAUSES)[number]

/** `regular` and `composition` sellers have a GSTIN. */
export const TAX_STATUSES = ['unregistered', 'composition', 'regular'] as const
export type TaxStatus = (typeof TAX_STATUSES)[number]

export const POLICY_NAMES = ['privacy', 'terms', 'refund', 'shipping'] as const
export type PolicyName = (typeof POLICY_NAMES)[number]

/** Words of the policies. The first of each is the usual one. */
export const POLICY_ANSWERS = {
  dispatchDays: ['2', '1', '3', '5', '7'],
  cancel: ['day', 'packed'],
  broken: ['within 2 days', 'the same day'],
  refundDays: ['5 to 8', '3 to 5', '7 to 10'],
  delivers: ['', 'own', 'courier', 'both']
} as const

export const SECTION_NAMES = [
  'shop',
  'legal',
  'tax',
  'home',
  'categories',
  'orders',
  'delivery',
  'calendar',
  'mail',
  'payments',
  'search',
  'about',
  'policies',
  ...POLICY_NAMES
] as const
export type SectionName = (typeof SECTION_NAMES)[number]

export const FEATURE_ICONS = [
  'leaf',
  'pot',
  'heart',
  'bike',
  'shield',
  'chat',
  'oven',
  'box',
  'clock',
  'tag'
] as const
export type FeatureIcon = (typeof FEATURE_ICONS)[number]

/** The rows of the set-up checklist, and what can be missing in each. */
export const SETUP_ROWS = {
  account: ['name', 'email', 'password', 'confirm'],
  shop: ['shopName', 'shopAddress', 'shopPhone', 'shopEmail', 'ownState', 'gstinState'],
  legal: ['fssai', 'grievanceOfficer', 'gst'],
  policies: ['privacy', 'terms', 'refund'],
  delivery: ['deliveryRules', 'elsewhere', 'shipping'],
  products: ['demoData', 'ownProduct'],
  home: ['homePage'],
  payments: ['keys', 'liveKeys'],
  mail: ['smtp', 'testMail'],
  order: ['order'],
  backup: ['backup']
} as const
export type SetupRowId = keyof typeof SETUP_ROWS
export type SetupGap = (typeof SETUP_ROWS)[SetupRowId][number]
export const SETUP_ROW_IDS = Object.keys(SETUP_ROWS) as SetupRowId[]
