import type { AdminAuditApi } from './audit.ts'
import type { AdminBackupsApi } from './backups.ts'
import type { AdminDashboardApi } from './dashboard.ts'
import type { AdminMessagesApi } from './messages.ts'
import type { AdminOrdersApi } from './orders.ts'
import type { AdminPostsApi } from './posts.ts'
import type { AdminProductsApi } from './products.ts'
import type { AdminUsersApi } from './users.ts'

export interface AdminApi
  extends
    AdminAuditApi,
    AdminBackupsApi,
    AdminDashboardApi,
    AdminMessagesApi,
    AdminOrdersApi,
    AdminPostsApi,
    AdminProductsApi,
    AdminUsersApi {}
