import { PATHS } from '../paths.ts'
import { SECTION_NAMES, type SectionName, STAFF, type Staff } from '../contract/names.ts'
import { t, text } from '../contract/texts.ts'

/** Legal and tax details are the owner's duty. A wrong sender stops the login codes. */
export const OWNER_SECTIONS: readonly SectionName[] = ['legal', 'tax', 'mail', 'payments']

export const OWNER_FIELDS: { readonly [Section in SectionName]?: readonly string[] } = {
  shop: ['name', 'email']
}

/** A call with GET also covers HEAD. */
const STAFF_CALLS = [
  'GET /admin/kitchen',
  'GET /admin/kitchen/day',
  'GET /admin/kitchen/labels',
  'GET /admin/kitchen/orders',
  'GET /admin/kitchen/orders/{id}',
  'POST /admin/kitchen/orders/{id}/move',
  'POST /admin/kitchen/orders/{id}/ticks',
  'POST /admin/kitchen/orders/move',
  'GET /admin/kitchen/products',
  'POST /admin/kitchen/products/{id}/stock',
  'GET /admin/kitchen/order-count',
  'POST /admin/verification'
] as const

const MANAGER_CALLS = [
  'POST /discounted-products',
  'PATCH /discounted-products/{id}',
  'DELETE /discounted-products/{id}',
  'GET /admin/audit',
  'GET /admin/bell',
  'POST /admin/bell',
  'DELETE /admin/bell/{id}',
  'POST /admin/bell/test',
  'GET /admin/collections',
  'GET /admin/collections/{id}',
  'POST /admin/collections',
  'PUT /admin/collections/order',
  'PATCH /admin/collections/{id}',
  'DELETE /admin/collections/{id}',
  'GET /admin/coupons',
  'GET /admin/coupons/{id}',
  'POST /admin/coupons',
  'PATCH /admin/coupons/{id}',
  'POST /admin/coupons/{id}/end',
  'GET /admin/dashboard',
  'GET /admin/kitchen/bookings',
  'GET /admin/mails',
  'GET /admin/messages',
  'GET /admin/messages/{id}',
  'PATCH /admin/messages/{id}',
  'POST /admin/messages/{id}/answers',
  'GET /admin/orders',
  'GET /admin/orders/day',
  'GET /admin/orders/export',
  'GET /admin/orders/{id}',
  'POST /admin/orders/{id}/move',
  'POST /admin/orders/move',
  'POST /admin/orders/{id}/messages',
  'POST /admin/orders/{id}/change',
  'POST /admin/orders/{id}/refund',
  'POST /admin/orders/{id}/cancel',
  'POST /admin/orders/{id}/link',
  'POST /admin/pictures',
  'GET /admin/places',
  'GET /admin/posts',
  'GET /admin/posts/{id}',
  'POST /admin/posts',
  'PATCH /admin/posts/{id}',
  'DELETE /admin/posts/{id}',
  'POST /admin/posts/preview',
  'GET /admin/products',
  'GET /admin/products/export',
  'GET /admin/products/{id}',
  'POST /admin/products',
  'PATCH /admin/products/{id}',
  'DELETE /admin/products/{id}',
  'PUT /admin/products/{id}/sizes',
  'POST /admin/products/import',
  'GET /admin/publishing',
  'POST /admin/publishing/retry',
  'GET /admin/searches',
  'GET /admin/settings',
  'POST /admin/settings/preview',
  'POST /admin/settings/policies/preview',
  'GET /admin/users',
  'GET /admin/users/{id}'
] as const

const OWNER_CALLS = [
  'GET /admin/backups',
  'POST /admin/backups',
  'POST /admin/confirm-live',
  'GET /admin/invitations',
  'POST /admin/invitations',
  'DELETE /admin/invitations/{id}',
  'PUT /admin/login',
  'POST /admin/orders/{id}/acknowledge',
  'POST /admin/settings/mail/test',
  'POST /admin/settings/payments/test',
  'GET /admin/setup',
  'DELETE /admin/demo-data',
  'GET /admin/tax-report',
  'GET /admin/unmatched-payments',
  'POST /admin/unmatched-payments/{id}',
  'POST /admin/users/{id}/staff',
  'POST /admin/users/{id}/logout'
] as const

type SettingsCall =
  | `${'GET' | 'PUT'} /admin/settings/${SectionName}`
  | `GET /admin/settings/${SectionName}/versions${'' | '/{version}'}`
type ListedCall = (typeof STAFF_CALLS | typeof MANAGER_CALLS | typeof OWNER_CALLS)[number]

export type AdminCall = ListedCall | SettingsCall

function allow(calls: readonly AdminCall[], staff: readonly Staff[]): object {
  return Object.fromEntries(calls.map(call => [call, staff]))
}

function listSettingsCalls(section: SectionName): SettingsCall[] {
  const versions = `GET /admin/settings/${section}/versions` as const
  return [
    `GET /admin/settings/${section}`,
    `PUT /admin/settings/${section}`,
    versions,
    `${versions}/{version}`
  ]
}

export const ACCESS = Object.assign(
  allow(STAFF_CALLS, STAFF),
  allow([...MANAGER_CALLS, ...SECTION_NAMES.flatMap(listSettingsCalls)], ['owner', 'manager']),
  allow([...OWNER_CALLS, ...OWNER_SECTIONS.flatMap(listSettingsCalls)], ['owner'])
) as Readonly<Record<AdminCall, readonly Staff[]>>

export function mayCall(staff: Staff | null, call: AdminCall): boolean {
  return staff !== null && ACCESS[call].includes(staff)
}

interface StaffRole {
  staff: Staff | null
  label: string
  text: string
  /** What follows on “Selvi can now open”. */
  opens?: string
}

export const STAFF_ROLES: readonly StaffRole[] = [
  {
    staff: 'owner',
    label: text('Owner'),
    opens: text('everything'),
    text: text('Can see and change everything, and choose the roles of other people.')
  },
  {
    staff: 'manager',
    label: text('Manager'),
    opens: text('all but people, legal details, payments and backups'),
    text: text(
      'Runs the shop from day to day. Can’t change people, legal details, taxes, email and payment ' +
        'settings, the shop’s name and email address, backups or unmatched payments.'
    )
  },
  {
    staff: 'kitchen',
    label: text('Kitchen'),
    opens: text('Orders and Kitchen'),
    text: text(
      'Packs orders and changes the stock. Sees names, addresses and phone numbers, but no email ' +
        'addresses, prices or payments.'
    )
  },
  { staff: null, label: text('Customer'), text: text('Can’t open the admin pages.') }
]

export function staffLabel(staff: Staff | null): string {
  const role = STAFF_ROLES.find(each => each.staff === staff)
  return role ? t(role.label) : ''
}

export function roleSavedText(name: string, staff: Staff | null): string {
  const opens = STAFF_ROLES.find(role => role.staff === staff)?.opens
  return opens
    ? t('{name} can now open {pages}.', { name, pages: t(opens) })
    : t('{name} can’t open these pages any more.', { name })
}

interface Section {
  label: string
  title?: string
  path: string
  /** The call that the page needs. Without it, the page is neither listed nor shown. */
  call: AdminCall
}

export const SECTIONS = {
  dashboard: {
    label: text('Dashboard'),
    title: text('Admin Dashboard'),
    path: PATHS.admin,
    call: 'GET /admin/kitchen'
  },
  orders: { label: text('Orders'), path: PATHS.adminOrders, call: 'GET /admin/kitchen/orders' },
  kitchen: { label: text('Kitchen'), path: PATHS.adminKitchen, call: 'GET /admin/kitchen/day' },
  products: {
    label: text('Products'),
    path: PATHS.adminProducts,
    call: 'GET /admin/kitchen/products'
  },
  collections: {
    label: text('Collections'),
    path: PATHS.adminCollections,
    call: 'GET /admin/collections'
  },
  deals: {
    label: text('Flash deals'),
    title: text('Manage Discounted Products'),
    path: PATHS.adminDeals,
    call: 'PATCH /discounted-products/{id}'
  },
  coupons: { label: text('Coupons'), path: PATHS.adminCoupons, call: 'GET /admin/coupons' },
  messages: { label: text('Messages'), path: PATHS.adminMessages, call: 'GET /admin/messages' },
  blog: { label: text('Blog'), path: PATHS.adminBlog, call: 'GET /admin/posts' },
  users: { label: text('Users'), path: PATHS.adminUsers, call: 'GET /admin/users' },
  publishing: {
    label: text('Website'),
    path: PATHS.adminPublishing,
    call: 'GET /admin/publishing'
  },
  settings: { label: text('Settings'), path: PATHS.adminSettings, call: 'GET /admin/settings' }
} as const satisfies Record<string, Section>

export type SectionId = keyof typeof SECTIONS

export function sectionTitle(id: SectionId): string {
  const section: Section = SECTIONS[id]
  return t(section.title ?? section.label)
}
