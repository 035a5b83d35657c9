import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Dashboard } from '#lib/contract/admin.ts'
import { readDashboard } from './read-dashboard.ts'

export const dashboardRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/dashboard',
    { schema: { tags: ['admin'], summary: 'Get sales, counts and low stock', response: { 200: Dashboard } } },
    () => readDashboard(app)
  )
}
