import { DELIVERY_DAYS_AHEAD } from './constants.ts'
import type { Settings } from './contract/settings.ts'
import { text } from './contract/texts.ts'
import { PATHS } from './paths.ts'
import SYNONYMS from './search/synonyms.json' with { type: 'json' }
import type { PolicyName } from './contract/names.ts'

export const POLICIES: Readonly<Record<PolicyName, { title: string; path: string }>> = {
  privacy: { title: text('Privacy Policy'), path: PATHS.privacy },
  terms: { title: text('Terms and Conditions'), path: PATHS.terms },
  refund: { title: text('Cancellation and Refund'), path: PATHS.refund },
  shipping: { title: text('Shipping and Delivery'), path: PATHS.shipping }
}

export type ShopDetails = Settings['shop'] & Settings['legal']

export interface ShopInfo extends Pick<
  ShopDetails,
  | 'name'
  | 'nameTamil'
  | 'tagline'
  | 'legalName'
  | 'address'
  | 'phone'
  | 'whatsapp'
  | 'email'
  | 'social'
  | 'logo'
  | 'fssai'
> {
  hasGrievanceOfficer: boolean
  isDemo: boolean
  policies: { title: string; path: string }[]
  /** Of the navigation, without empty pages. */
  links: { name: string; path: string }[]
  year: number
}

const NO_POLICY = { description: '', text: '' }

export const EMPTY_SETTINGS: Settings = {
  shop: {
    name: 'New shop',
    nameTamil: '',
    line: '',
    tagline: '',
    description: '',
    legalName: '',
    address: { street: '', area: '', city: '', state: '', pincode: '' },
    mapPoint: '',
    phone: '',
    whatsapp: '',
    email: '',
    hours: '',
    social: [],
    logo: ''
  },
  legal: { fssai: '', gstin: '', grievanceOfficer: { name: '', designation: '' } },
  // Until the owner has saved this section, the shop delivers to all states without asking.
  tax: {
    status: 'unregistered',
    rates: [],
    products: [],
    otherStates: true,
    accountantAsked: false
  },
  home: {
    banners: [],
    featuredCategories: [],
    bestsellers: [],
    testimonials: [],
    whyChooseUs: [],
    features: []
  },
  categories: {
    categories: [
      emptyCategory('powders', 'Powders', 'பொடிகள்'),
      emptyCategory('savouries', 'Savouries', 'கார வகைகள்'),
      emptyCategory('pickles', 'Pickles', 'ஊறுகாய்கள்'),
      emptyCategory('sweets', 'Sweets', 'இனிப்புகள்'),
      emptyCategory('seer_items', 'Seer Items', 'சீர் பலகாரங்கள்')
    ]
  },
  orders: {
    closed: { from: '', until: '', message: '' },
    minimumOrder: 0,
    cancellable: ['powders', 'pickles']
  },
  // Until the owner has set rules, each Indian pincode is served without a fee from the day after
  // tomorrow.
  delivery: {
    zones: [],
    elsewhere: '',
    elsewhereFee: null,
    elsewhereDays: null,
    pickup: false,
    pickupText: ''
  },
  calendar: {
    leadDays: DELIVERY_DAYS_AHEAD.earliest,
    cutOff: '',
    closedWeekdays: [],
    closedDates: [],
    daysAhead: DELIVERY_DAYS_AHEAD.latest,
    longDaysAhead: 120,
    longCategories: [],
    eventCategories: [],
    ordersPerDay: 0,
    unitsPerDay: 0,
    orderNote: false
  },
  mail: { server: '', port: 587, user: '', password: '', sender: '', signature: '' },
  payments: { keyId: '', keySecret: '', webhookSecret: '' },
  // Other spellings need no entry, because the search folds them.
  search: { synonyms: SYNONYMS.join('\n') },
  about: {
    description: '',
    text: '',
    picture: '',
    cook: { name: '', role: '' },
    promise: '',
    story: '',
    values: []
  },
  policies: {
    dispatchDays: '2',
    cancel: 'day',
    broken: 'within 2 days',
    refundDays: '5 to 8',
    delivers: ''
  },
  privacy: NO_POLICY,
  terms: NO_POLICY,
  refund: NO_POLICY,
  shipping: NO_POLICY
}

function emptyCategory(
  name: string,
  label: string,
  labelTamil: string
): Settings['categories']['categories'][number] {
  return { name, label, labelTamil, description: '', picture: '', hidden: false }
}

export function toShopAddressLines({
  street,
  area,
  city,
  state,
  pincode
}: Settings['shop']['address']): string[] {
  const country = state === '' ? '' : 'India'
  return [
    [street, area].filter(Boolean).join(', '),
    [city, pincode].filter(Boolean).join(' '),
    [state, country].filter(Boolean).join(', ')
  ].filter(Boolean)
}

/** For example 'Revathi Sundaram, cook'. */
export function toSignature({ name, role }: Settings['about']['cook']): string {
  return [name, role].filter(Boolean).join(', ')
}

export function toPhoneLink(phone: string): string {
  return `tel:${phone.replaceAll(' ', '')}`
}

/** Shorter policies say too little. */
export const MIN_POLICY_LETTERS = 300

export function countLetters(markdown: string): number {
  const text = markdown.replace(/\]\([^)]*\)/g, ']')
  return text.match(/\p{L}/gu)?.length ?? 0
}

const PLACEHOLDER = /\{(?:shop\.|legal\.)?(\w+)\}/g
type Details = Pick<Settings, 'shop' | 'legal'>
const PLACEHOLDERS = new Map<string, (details: Details) => string>([
  ['name', ({ shop }) => shop.legalName || shop.name],
  ['email', ({ shop }) => shop.email],
  ['phone', ({ shop }) => shop.phone],
  ['address', ({ shop }) => toShopAddressLines(shop.address).join(', ')],
  ['hours', ({ shop }) => shop.hours],
  ['fssai', ({ legal }) => legal.fssai],
  ['gstin', ({ legal }) => legal.gstin],
  ['grievanceOfficer', ({ legal }) => legal.grievanceOfficer.name]
])
export const PLACEHOLDER_LIST =
  '{name}, {email}, {phone}, {address}, {hours}, {fssai}, {gstin}, {grievanceOfficer}'

export function findUnknownPlaceholder(text: string): string | undefined {
  const names = Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name)
  return names.find(name => !PLACEHOLDERS.has(name))
}

export function fillPlaceholders(text: string, details: Details): string {
  return text.replace(
    PLACEHOLDER,
    (whole: string, name: string) => PLACEHOLDERS.get(name)?.(details) ?? whole
  )
}
