import { paths } from '../paths.ts'
import type { SectionName, SetupGap, SetupRowId } from '../contract/names.ts'

export const SETUP_PATH = `${paths.admin}#setup`

export const SETUP_LABELS: Readonly<Record<SetupRowId, string>> = {
  account: 'Your login',
  shop: 'Shop details',
  legal: 'Legal details',
  policies: 'Policies',
  delivery: 'Delivery',
  products: 'Products',
  payments: 'Payments',
  mail: 'Email',
  order: 'Test order',
  backup: 'Backup'
}

interface Gap {
  name: string
  hint?: string
  link?: { label: string; href: string }
}

const section = (label: string, name: SectionName): { label: string; href: string } => ({
  label,
  href: `${paths.adminSettings}?section=${name}&from=setup`
})
const SHOP = section('Enter shop details', 'shop')
const LEGAL = section('Enter legal details', 'legal')
const KEYS_HINT =
  'Create keys at razorpay.com, set RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and ' +
  'RAZORPAY_WEBHOOK_SECRET on the server, and restart the shop. See “Razorpay” in ' +
  'docs/running.md.'

export const GAPS: Readonly<Record<SetupGap, Gap>> = {
  email: {
    name: 'your own email address',
    link: { label: 'Change email address', href: `${paths.profile}#email` }
  },
  password: {
    name: 'your own password',
    link: { label: 'Change password', href: `${paths.profile}#password` }
  },
  shopName: { name: 'name', link: SHOP },
  shopAddress: { name: 'address', link: SHOP },
  shopPhone: { name: 'phone number', link: SHOP },
  shopEmail: { name: 'email address', link: SHOP },
  ownState: { name: 'state', link: SHOP },
  gstinState: { name: 'address in the state of your GSTIN', link: SHOP },
  fssai: { name: 'FSSAI number', link: LEGAL },
  grievanceOfficer: { name: 'grievance officer', link: LEGAL },
  gst: { name: 'GST status', link: section('Choose GST status', 'tax') },
  privacy: {
    name: 'privacy policy',
    link: section('Write privacy policy', 'privacy')
  },
  terms: { name: 'terms and conditions', link: section('Write terms', 'terms') },
  refund: {
    name: 'refund policy',
    link: section('Write refund policy', 'refund')
  },
  deliveryRules: {
    name: 'where you deliver, and the fee',
    link: section('Choose where you deliver', 'delivery')
  },
  elsewhere: {
    name: 'your choice for everywhere else in India',
    link: section('Choose where you deliver', 'delivery')
  },
  shipping: {
    name: 'delivery policy',
    link: section('Write delivery policy', 'shipping')
  },
  demoData: { name: 'removal of the demo data' },
  ownProduct: {
    name: 'a product of your own',
    link: { label: 'Add a product', href: `${paths.adminProducts}?product=%2B` }
  },
  keys: { name: 'Razorpay keys. No money is taken yet', hint: KEYS_HINT },
  liveKeys: { name: 'live keys. With test keys, no money is taken', hint: KEYS_HINT },
  smtp: {
    name: 'mail server. No email is sent yet',
    hint: 'Set SMTP_URL on the server and restart the shop. See “Settings” in docs/running.md.'
  },
  testMail: { name: 'a test email', link: section('Send a test email', 'mail') },
  order: {
    name: 'an order of your own, placed as a customer would',
    link: { label: 'Go to the shop', href: paths.products }
  },
  backup: { name: 'your first backup', link: { label: 'Make a backup', href: '#backup' } }
}

type Rows = readonly { missing: readonly string[] }[]

export function progressText(rows: Rows): string {
  const done = rows.filter(({ missing }) => missing.length === 0).length
  return done === rows.length ? '' : `${done} of ${rows.length} done`
}

/** '' if nothing is missing. */
export function setupText(rows: Rows): string {
  const progress = progressText(rows)
  return progress && `Your shop is not set up yet: ${progress}`
}
