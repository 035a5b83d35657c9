import { paths } from '../paths.ts'
import type { SetupState } from '../contract/admin.ts'
import type { SectionName, SetupGap, SetupRowId } from '../contract/names.ts'
import { t, text, texts } from '../contract/texts.ts'

export const setupPath = (): string => `${paths.admin}#setup`

export const SETUP_LABELS = texts<Readonly<Record<SetupRowId, string>>>({
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
})

interface Gap {
  name: string
  /** Replaces “Missing: …” if this is the only gap of its row. */
  todo?: string
  hint?: string
  link?: Link
}

type Link = () => { label: string; href: string }

const section =
  (label: string, name: SectionName): Link =>
  () => ({ label: t(label), href: `${paths.adminSettings}?section=${name}&from=setup` })
const SHOP = section(text('Enter shop details'), 'shop')
const LEGAL = section(text('Enter legal details'), 'legal')
const POLICIES = section(text('Start from our texts'), 'policies')
const KEYS_HINT = text(
  'You need a Razorpay account (PAN card, bank account; it takes a day or two). Then paste its ' +
    'three keys here.'
)
const KEYS = { hint: KEYS_HINT, link: section(text('Set up payments'), 'payments') }

export const GAPS = texts<Readonly<Record<SetupGap, Gap>>>({
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
  gst: { name: 'if you have a GST number', link: section(text('Answer one question'), 'tax') },
  privacy: { name: 'privacy policy', link: POLICIES },
  terms: { name: 'terms and conditions', link: POLICIES },
  refund: { name: 'refund policy', link: POLICIES },
  deliveryRules: {
    name: 'where you deliver, and the fee',
    link: section(text('Choose where you deliver'), 'delivery')
  },
  elsewhere: {
    name: 'your choice for everywhere else in India',
    hint: 'You deliver there for free: is that right?',
    link: section(text('Choose where you deliver'), 'delivery')
  },
  shipping: { name: 'delivery policy', link: POLICIES },
  demoData: { name: 'removal of the demo data' },
  ownProduct: {
    name: 'a product of your own',
    todo: 'Add your first product: a photo, a name and a price.',
    link: () => ({ label: t('Add a product'), href: `${paths.adminProducts}?product=%2B` })
  },
  homePage: {
    name: 'a picture and two sentences',
    hint: 'You can open without them: the page then shows your first product.',
    link: section(text('Make it yours'), 'home')
  },
  keys: { name: 'Razorpay keys. No money is taken yet', ...KEYS },
  liveKeys: { name: 'live keys. With test keys, no money is taken', ...KEYS },
  smtp: {
    name: 'mail server. No email is sent yet',
    link: section(text('Set up email'), 'mail')
  },
  testMail: { name: 'a test email', link: section(text('Send a test email'), 'mail') },
  order: {
    name: 'an order of your own, placed as a customer would',
    link: () => ({ label: t('Go to the shop'), href: paths.products })
  },
  backup: {
    name: 'your first backup',
    link: () => ({ label: t('Make a backup'), href: '#backup' })
  }
})

/** The most important first: a phone has room for two. */
const WARNINGS: readonly [warning: string, gaps: readonly SetupGap[]][] = [
  [text('Test mode'), ['keys', 'liveKeys']],
  [text('Orders are off'), ['fssai', 'grievanceOfficer']],
  [text('Delivery is off'), ['ownState']],
  [text('No email'), ['smtp']],
  [text('Confirm your email address'), ['confirm']]
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
  return done === needed.length ? '' : t('{done} of {count} done', { done, count: needed.length })
}

/** As in 'Test mode · 7 of 10 done', or '' if nothing is missing. */
export function setupText(rows: SetupState['rows']): string {
  const missing = rows.flatMap(row => row.missing)
  const isTest = missing.includes('keys') || missing.includes('liveKeys')
  const warnings = WARNINGS.filter(([, gaps]) => gaps.some(gap => missing.includes(gap)))
    // In test mode, orders need no legal details.
    .filter(([, gaps]) => !isTest || !gaps.includes('fssai'))
    .map(([warning]) => t(warning))
  return [...warnings.slice(0, 2), progressText(rows)].filter(Boolean).join(' · ')
}
