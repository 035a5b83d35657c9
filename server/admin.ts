import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { auditRoutes, userRoutes } from './accounts/admin-routes.ts'
import { backupRoutes } from './backups/admin-routes.ts'
import { adminOrderRoutes, dashboardRoutes } from './orders/admin-routes.ts'
import { messageRoutes, postRoutes } from './content/admin-routes.ts'
import { pictureRoutes, productRoutes, productTableRoutes } from './catalog/admin-routes.ts'

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
