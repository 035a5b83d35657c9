import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Dashboard } from '#lib/contract/admin/dashboard.ts'
import { readDashboard } from '../../actions/read-dashboard.ts'

export const dashboardRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/dashboard',
    { schema: { tags: ['admin'], summary: 'How the shop stands now', response: { 200: Dashboard } } },
    () => readDashboard(app)
  )
}
