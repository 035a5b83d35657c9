import { SECTION_NAMES, type SectionName, STAFF, type Staff } from '../contract/names.ts'

const MANAGERS = ['owner', 'manager'] as const
const OWNERS = ['owner'] as const

/** Legal and tax details are the owner's duty. A wrong sender stops the login codes. */
export const OWNER_SECTIONS: readonly SectionName[] = ['legal', 'tax', 'mail']

/** Only owners may change these: the sender of the mails. */
export const OWNER_FIELDS: { readonly [Section in SectionName]?: readonly string[] } = {
  shop: ['name', 'email']
}

/** The server checks each call by this table. A row for GET also covers HEAD. */
export const ACCESS = {
  'POST /discounted-products': MANAGERS,
  'PATCH /discounted-products/{id}': MANAGERS,
  'DELETE /discounted-products/{id}': MANAGERS,
  'GET /admin/audit': MANAGERS,
  'GET /admin/backups': OWNERS,
  'POST /admin/backups': OWNERS,
  'POST /admin/confirm-live': OWNERS,
  'GET /admin/collections': MANAGERS,
  'GET /admin/collections/{id}': MANAGERS,
  'POST /admin/collections': MANAGERS,
  'PUT /admin/collections/order': MANAGERS,
  'PATCH /admin/collections/{id}': MANAGERS,
  'DELETE /admin/collections/{id}': MANAGERS,
  'GET /admin/coupons': MANAGERS,
  'GET /admin/coupons/{id}': MANAGERS,
  'POST /admin/coupons': MANAGERS,
  'PATCH /admin/coupons/{id}': MANAGERS,
  'POST /admin/coupons/{id}/end': MANAGERS,
  'GET /admin/dashboard': MANAGERS,
  'GET /admin/kitchen': STAFF,
  'GET /admin/kitchen/bookings': MANAGERS,
  'GET /admin/kitchen/day': STAFF,
  'GET /admin/kitchen/labels': STAFF,
  'GET /admin/kitchen/orders': STAFF,
  'GET /admin/kitchen/orders/{id}': STAFF,
  'POST /admin/kitchen/orders/{id}/move': STAFF,
  'POST /admin/kitchen/orders/{id}/ticks': STAFF,
  'POST /admin/kitchen/orders/move': STAFF,
  'GET /admin/kitchen/products': STAFF,
  'POST /admin/kitchen/products/{id}/stock': STAFF,
  'GET /admin/messages': MANAGERS,
  'GET /admin/messages/{id}': MANAGERS,
  'PATCH /admin/messages/{id}': MANAGERS,
  'POST /admin/messages/{id}/answers': MANAGERS,
  'GET /admin/orders': MANAGERS,
  'GET /admin/orders/day': MANAGERS,
  'GET /admin/orders/export': MANAGERS,
  'GET /admin/orders/{id}': MANAGERS,
  'POST /admin/orders/{id}/move': MANAGERS,
  'POST /admin/orders/move': MANAGERS,
  'POST /admin/orders/{id}/change': MANAGERS,
  'POST /admin/orders/{id}/cancel': MANAGERS,
  'POST /admin/orders/{id}/acknowledge': OWNERS,
  'POST /admin/pictures': MANAGERS,
  'GET /admin/posts': MANAGERS,
  'GET /admin/posts/{id}': MANAGERS,
  'POST /admin/posts': MANAGERS,
  'PATCH /admin/posts/{id}': MANAGERS,
  'DELETE /admin/posts/{id}': MANAGERS,
  'POST /admin/posts/preview': MANAGERS,
  'GET /admin/products': MANAGERS,
  'GET /admin/products/export': MANAGERS,
  'GET /admin/products/{id}': MANAGERS,
  'POST /admin/products': MANAGERS,
  'PATCH /admin/products/{id}': MANAGERS,
  'DELETE /admin/products/{id}': MANAGERS,
  'PUT /admin/products/{id}/sizes': MANAGERS,
  'POST /admin/products/import': MANAGERS,
  'GET /admin/publishing': MANAGERS,
  'POST /admin/publishing/retry': MANAGERS,
  'GET /admin/searches': MANAGERS,
  'GET /admin/settings': MANAGERS,
  'POST /admin/settings/mail/test': OWNERS,
  'POST /admin/settings/preview': MANAGERS,
  ...settingsAccess(),
  'GET /admin/setup': OWNERS,
  'DELETE /admin/demo-data': OWNERS,
  'GET /admin/tax-report': OWNERS,
  'GET /admin/unmatched-payments': OWNERS,
  'POST /admin/unmatched-payments/{id}': OWNERS,
  'GET /admin/users': MANAGERS,
  'GET /admin/users/{id}': MANAGERS,
  'POST /admin/users/{id}/staff': OWNERS,
  'POST /admin/users/{id}/logout': OWNERS,
  'POST /admin/verification': STAFF
} as const

export type AdminCall = keyof typeof ACCESS

export function mayCall(staff: Staff | null, call: AdminCall): boolean {
  const allowed: readonly Staff[] = ACCESS[call]
  return staff !== null && allowed.includes(staff)
}

type SettingsCall =
  | `${'GET' | 'PUT'} /admin/settings/${SectionName}`
  | `GET /admin/settings/${SectionName}/versions${'' | '/{version}'}`

function settingsAccess(): Record<SettingsCall, readonly Staff[]> {
  const rows = SECTION_NAMES.flatMap(section => {
    const path = `/admin/settings/${section}`
    const calls = [
      `GET ${path}`,
      `PUT ${path}`,
      `GET ${path}/versions`,
      `GET ${path}/versions/{version}`
    ]
    return calls.map(call => [call, OWNER_SECTIONS.includes(section) ? OWNERS : MANAGERS])
  })
  return Object.fromEntries(rows) as Record<SettingsCall, readonly Staff[]>
}

/** `null` means customer. */
export const STAFF_ROLES: readonly { staff: Staff | null; label: string; text: string }[] = [
  {
    staff: 'owner',
    label: 'Owner',
    text: 'Can see and change everything, and choose the roles of other people.'
  },
  {
    staff: 'manager',
    label: 'Manager',
    text:
      'Runs the shop from day to day. Can’t change people, legal details, taxes, email settings, ' +
      'the shop’s name and email address, backups or unmatched payments.'
  },
  {
    staff: 'kitchen',
    label: 'Kitchen',
    text:
      'Packs orders and changes the stock. Sees names, addresses and phone numbers, but no email ' +
      'addresses, prices or payments.'
  },
  { staff: null, label: 'Customer', text: 'Can’t open the admin pages.' }
]

export function staffLabel(staff: Staff | null): string {
  return STAFF_ROLES.find(role => role.staff === staff)?.label ?? ''
}

export const staffSetText = (name: string, staff: Staff | null): string =>
  `${name}: ${staffLabel(staff).toLowerCase()}`
