import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { WEBSITE_AUDIT_ID } from '#lib/constants.ts'
import { Done } from '#lib/contract/accounts.ts'
import { record } from '../accounts/audit.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { isoNow } from '../platform/process/clock.ts'
import { confirmLive } from './live-shop.ts'

export const liveShopRoutes: FastifyPluginAsyncZod = async app => {
  app.post(
    '/confirm-live',
    {
      schema: {
        summary: 'Confirm that this is the live shop, after a restore or a change of its address',
        response: { 200: Done }
      }
    },
    async request => {
      const { user: actor } = sessionOf(request)
      const { siteUrl } = app.config
      const change = {
        actor,
        at: isoNow(app.clock),
        kind: 'publish',
        id: WEBSITE_AUDIT_ID,
        action: 'confirmed'
      } as const
      await app.write(async trx => {
        if (await confirmLive(trx, siteUrl)) await record(trx, { ...change, after: { siteUrl } })
      })
      return { message: ADMIN_MESSAGES.shopConfirmed }
    }
  )
}
