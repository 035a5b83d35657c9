import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { auditRoutes } from './accounts/audit-routes.ts'
import { backupRoutes } from './backups/admin-routes.ts'
import { dashboardRoutes } from './orders/dashboard-routes.ts'
import { messageRoutes } from './content/admin-message-routes.ts'
import { adminOrderRoutes } from './orders/admin-routes.ts'
import { pictureRoutes } from './catalog/picture-routes.ts'
import { postRoutes } from './content/admin-routes.ts'
import { productRoutes } from './catalog/admin-routes.ts'
import { productTableRoutes } from './catalog/table-routes.ts'
import { userRoutes } from './accounts/admin-routes.ts'

/** The session plugin protects these routes, because their paths begin with `/api/admin`. */
export const adminRoutes: FastifyPluginAsyncZod = async app => {
  await app.register(auditRoutes)
  await app.register(productRoutes)
  await app.register(productTableRoutes)
  await app.register(pictureRoutes)
  await app.register(adminOrderRoutes)
  await app.register(dashboardRoutes)
  await app.register(userRoutes)
  await app.register(messageRoutes)
  await app.register(postRoutes)
  await app.register(backupRoutes)
}
