import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { auditRoutes } from './audit.ts'

/** The owner's calls. That only administrators are let in is seen to for every address under `/api/admin`. */
export const adminRoutes: FastifyPluginAsyncZod = async app => {
  await app.register(auditRoutes)
}
