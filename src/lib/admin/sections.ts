import { paths } from '../paths.ts'

export const SECTIONS = [
  { id: 'dashboard', label: 'Dashboard', path: paths.admin },
  { id: 'orders', label: 'Orders', path: paths.adminOrders },
  { id: 'products', label: 'Products', path: paths.adminProducts },
  { id: 'deals', label: 'Flash deals', path: paths.adminDeals },
  { id: 'messages', label: 'Messages', path: paths.adminMessages },
  { id: 'blog', label: 'Blog', path: paths.adminBlog },
  { id: 'users', label: 'Users', path: paths.adminUsers },
  { id: 'publishing', label: 'Publishing', path: paths.adminPublishing }
] as const
export type SectionId = (typeof SECTIONS)[number]['id']
