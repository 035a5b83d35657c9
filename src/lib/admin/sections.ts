import { paths } from '../paths.ts'
import type { AdminCall } from './access.ts'

interface Section {
  label: string
  title?: string
  path: string
  /** The call that the page needs. Without it, the page is neither listed nor shown. */
  call: AdminCall
}

export const SECTIONS = {
  dashboard: {
    label: 'Dashboard',
    title: 'Admin Dashboard',
    path: paths.admin,
    call: 'GET /admin/kitchen'
  },
  orders: { label: 'Orders', path: paths.adminOrders, call: 'GET /admin/kitchen/orders' },
  kitchen: { label: 'Kitchen', path: paths.adminKitchen, call: 'GET /admin/kitchen/day' },
  products: { label: 'Products', path: paths.adminProducts, call: 'GET /admin/kitchen/products' },
  collections: {
    label: 'Collections',
    path: paths.adminCollections,
    call: 'GET /admin/collections'
  },
  deals: {
    label: 'Flash deals',
    title: 'Manage Discounted Products',
    path: paths.adminDeals,
    call: 'PATCH /discounted-products/{id}'
  },
  coupons: { label: 'Coupons', path: paths.adminCoupons, call: 'GET /admin/coupons' },
  messages: { label: 'Messages', path: paths.adminMessages, call: 'GET /admin/messages' },
  blog: { label: 'Blog', path: paths.adminBlog, call: 'GET /admin/posts' },
  users: { label: 'Users', path: paths.adminUsers, call: 'GET /admin/users' },
  publishing: { label: 'Website', path: paths.adminPublishing, call: 'GET /admin/publishing' },
  settings: { label: 'Settings', path: paths.adminSettings, call: 'GET /admin/settings' }
} as const satisfies Record<string, Section>

export type SectionId = keyof typeof SECTIONS

export function sectionTitle(id: SectionId): string {
  const section: Section = SECTIONS[id]
  return section.title ?? section.label
}
