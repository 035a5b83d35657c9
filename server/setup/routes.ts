import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Done } from '#lib/contract/accounts.ts'
import { SetupState } from '#lib/contract/setup.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { removeDemoData } from '../demo/remove-demo.ts'
import { readSetup } from './setup.ts'

export const setupRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/setup',
    { schema: { summary: 'Get what is missing before the shop can open', response: { 200: SetupState } } },
    () => readSetup(app)
  )

  app.delete(
    '/demo-data',
    {
      schema: {
        summary: 'Delete the demo’s unchanged products, deals and posts, or hide those that orders contain',
        response: { 200: Done }
      }
    },
    async request => {
      await removeDemoData(app, sessionOf(request).user)
      return { message: ADMIN_MESSAGES.demoDataRemoved }
    }
  )
}
