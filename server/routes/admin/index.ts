import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { auditRoutes } from './audit.ts'
import { backupRoutes } from './backups.ts'
import { dashboardRoutes } from './dashboard.ts'
import { messageRoutes } from './messages.ts'
import { adminOrderRoutes } from './orders.ts'
import { pictureRoutes } from './pictures.ts'
import { postRoutes } from './posts.ts'
import { productRoutes } from './products.ts'
import { productTableRoutes } from './product-table.ts'
import { userRoutes } from './users.ts'

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
