import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Done } from '#lib/contract/accounts.ts'
import { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { sessionOf } from '../../accounts/sessions.ts'
import { decideUnmatchedPayment, listUnmatchedPayments } from './unmatched-payments.ts'

export const unmatchedPaymentRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/unmatched-payments',
    {
      schema: {
        summary: 'List payments of this shop whose order is not in the database',
        response: { 200: z.array(UnmatchedPayment) }
      }
    },
    () => listUnmatchedPayments(app.database.kysely)
  )

  app.post(
    '/unmatched-payments/:id',
    {
      schema: {
        summary: 'Refund or keep a payment whose order is not in the database',
        params: IdPath,
        body: PaymentDecision,
        response: { 200: Done }
      }
    },
    async request => {
      await decideUnmatchedPayment(app, sessionOf(request).user, request.params.id, request.body)
      const isRefund = request.body.decision === 'refund'
      return { message: isRefund ? ADMIN_MESSAGES.unmatchedRefunded : ADMIN_MESSAGES.unmatchedKept }
    }
  )
}
