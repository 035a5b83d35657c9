import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Done } from '#lib/contract/accounts.ts'
import { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { sessionOf } from '../../accounts/sessions.ts'
import { route } from '../../platform/http/validate.ts'
import { decideUnmatchedPayment, listUnmatchedPayments } from './unmatched-payments.ts'

export const unmatchedPaymentRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/unmatched-payments',
    route(
      'List payments without an order in the database, and payments whose refund has failed',
      z.array(UnmatchedPayment)
    ),
    () => listUnmatchedPayments(app.database.kysely)
  )

  app.post(
    '/unmatched-payments/:id',
    route('Refund or keep a payment without an order or with a failed refund', Done, {
      params: IdPath,
      body: PaymentDecision
    }),
    async request => {
      const { params, body } = request
      const problem = await decideUnmatchedPayment(app, sessionOf(request).user, params.id, body)
      if (body.decision === 'refund') return { message: ADMIN_MESSAGES.unmatchedRefunded }
      return { message: problem === 'no_order' ? ADMIN_MESSAGES.unmatchedKept : ADMIN_MESSAGES.refundDone }
    }
  )
}
