import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { auditRoutes } from './audit.ts'
import { pictureRoutes } from './pictures.ts'
import { productRoutes } from './products.ts'
import { productTableRoutes } from './product-table.ts'

/** The owner's calls. That only administrators are let in is seen to for every address under `/api/admin`. */
export const adminRoutes: FastifyPluginAsyncZod = async app => {
  await app.register(auditRoutes)
  await app.register(productRoutes)
  await app.register(productTableRoutes)
  await app.register(pictureRoutes)
}
