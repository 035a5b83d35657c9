import { PATHS } from '../paths.ts'
import type { SetupState } from '../contract/admin.ts'
import type { SectionName, SetupGap, SetupRowId } from '../contract/names.ts'

export const SETUP_PATH = `${PATHS.admin}#setup`

export const SETUP_LABELS: Readonly<Record<SetupRowId, string>> = {
  account: 'Your login',
  shop: 'Shop details',
  legal: 'Legal details',
  policies: 'Policies',
  delivery: 'Delivery',
  products: 'Products',
  home: 'Home page',
  payments: 'Payments',
  mail: 'Email',
  order: 'Test order',
  backup: 'Backup'
}

interface Gap {
  name: string
  /** Replaces “Missing: …” if this is the only gap of its row. */
  todo?: string
  hint?: string
  link?: { label: string; href: string }
}

const section = (label: string, name: SectionName): { label: string; href: string } => ({
  label,
  href: `${PATHS.adminSettings}?section=${name}&from=setup`
})
const SHOP = section('Enter shop details', 'shop')
const LEGAL = section('Enter legal details', 'legal')
const POLICIES = section('Start from our texts', 'policies')
const KEYS_HINT =
  'You need a Razorpay account (PAN card, bank account; it takes a day or two). Then paste its ' +
  'three keys here.'
const KEYS = { hint: KEYS_HINT, link: section('Set up payments', 'payments') }

export const GAPS: Readonly<Record<SetupGap, Gap>> = {
  name: { name: 'your name' },
  email: { name: 'your own email address' },
  password: { name: 'your own password' },
  confirm: { name: 'confirmation of your email address' },
  shopName: { name: 'name', link: SHOP },
  shopAddress: { name: 'address', link: SHOP },
  shopPhone: { name: 'phone number', link: SHOP },
  shopEmail: { name: 'email address', link: SHOP },
  ownState: {
    name: 'state',
    hint: 'Delivery is off until then, because you deliver only within your state.',
    link: SHOP
  },
  gstinState: { name: 'address in the state of your GST number', link: SHOP },
  fssai: {
    name: 'FSSAI number',
    hint: 'The law requires it before customers can pay with real money.',
    link: LEGAL
  },
  grievanceOfficer: { name: 'who answers complaints', link: LEGAL },
  gst: { name: 'if you have a GST number', link: section('Answer one question', 'tax') },
  privacy: { name: 'privacy policy', link: POLICIES },
  terms: { name: 'terms and conditions', link: POLICIES },
  refund: { name: 'refund policy', link: POLICIES },
  deliveryRules: {
    name: 'where you deliver, and the fee',
    link: section('Choose where you deliver', 'delivery')
  },
  elsewhere: {
    name: 'your choice for everywhere else in India',
    hint: 'You deliver there for free: is that right?',
    link: section('Choose where you deliver', 'delivery')
  },
  shipping: { name: 'delivery policy', link: POLICIES },
  demoData: { name: 'removal of the demo data' },
  ownProduct: {
    name: 'a product of your own',
    todo: 'Add your first product: a photo, a name and a price.',
    link: { label: 'Add a product', href: `${PATHS.adminProducts}?product=%2B` }
  },
  homePage: {
    name: 'a picture and two sentences',
    hint: 'You can open without them: the page then shows your first product.',
    link: section('Make it yours', 'home')
  },
  keys: { name: 'Razorpay keys. No money is taken yet', ...KEYS },
  liveKeys: { name: 'live keys. With test keys, no money is taken', ...KEYS },
  smtp: {
    name: 'mail server. No email is sent yet',
    link: section('Set up email', 'mail')
  },
  testMail: { name: 'a test email', link: section('Send a test email', 'mail') },
  order: {
    name: 'an order of your own, placed as a customer would',
    link: { label: 'Go to the shop', href: PATHS.products }
  },
  backup: { name: 'your first backup', link: { label: 'Make a backup', href: '#backup' } }
}

/** The most important first: a phone has room for two. */
const WARNINGS: readonly [text: string, gaps: readonly SetupGap[]][] = [
  ['Test mode', ['keys', 'liveKeys']],
  ['Orders are off', ['fssai', 'grievanceOfficer']],
  ['Delivery is off', ['ownState']],
  ['No email', ['smtp']],
  ['Confirm your email address', ['confirm']]
]

export function isDone({ missing }: SetupState['rows'][number]): boolean {
  return missing.length === 0
}

/** The home page is complete without the owner's picture and words. */
export function isNeeded({ id }: SetupState['rows'][number]): boolean {
  return id !== 'home'
}

/** '' if nothing is missing. */
export function progressText(rows: SetupState['rows']): string {
  const needed = rows.filter(isNeeded)
  const done = needed.filter(isDone).length
  return done === needed.length ? '' : `${done} of ${needed.length} done`
}

/** As in 'Test mode · 7 of 10 done', or '' if nothing is missing. */
export function setupText(rows: SetupState['rows']): string {
  const missing = rows.flatMap(row => row.missing)
  const warnings = WARNINGS.filter(([, gaps]) => gaps.some(gap => missing.includes(gap)))
    .map(([text]) => text)
    // In test mode, orders need no legal details.
    .filter((text, _, all) => text !== 'Orders are off' || !all.includes('Test mode'))
  return [...warnings.slice(0, 2), progressText(rows)].filter(Boolean).join(' · ')
}
