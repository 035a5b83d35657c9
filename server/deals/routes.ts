import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { mayCall } from '#lib/admin/access.ts'
import { Done } from '#lib/contract/accounts.ts'
import {
  AdminDeal,
  DealChange,
  DealDraft,
  DealRemovalQuery,
  Discount,
  DiscountedProduct,
  DrawPath,
  FlashDeal
} from '#lib/contract/deals.ts'
import { IdPath } from '#lib/contract/values.ts'
import { DEAL_MESSAGES } from '#lib/admin/deal-form.ts'
import { requireRecentVerification, requireUser, sessionOf } from '../accounts/sessions.ts'
import { route } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { changeDeal, createDeal, readAdminDeals, removeDeal } from './deals.ts'
import { drawDiscount, readMyDiscounts } from './draws.ts'

/** Higher discounts need a recent verification. */
const MAX_PERCENT_WITHOUT_VERIFICATION = 50

export const dealRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/discounted-products',
    route(
      'List running deals, or all deals for administrators',
      z.union([z.array(AdminDeal), z.array(DiscountedProduct)])
    ),
    async (request, reply) => {
      // If the session can't be read, answer as for a visitor without a login.
      const session = await app.authenticate(request).catch(() => undefined)
      if (session && mayCall(session.user.staff, 'PATCH /discounted-products/{id}'))
        return readAdminDeals(app.database.kysely, isoNow(app.clock))
      await app.publicReplies.send({ request, reply }, 'discounted-products', data => data.deals())
      return reply
    }
  )

  app.get(
    '/flash-deals',
    route('List running deals with the server time', z.array(FlashDeal)),
    async () => {
      const data = await app.publicReplies.get()
      const serverTime = isoNow(app.clock)
      return (await data.flashDeals()).map(deal => ({ ...deal, serverTime }))
    }
  )

  await app.register(shopperRoutes)
  await adminRoutes(app, {})
}

const shopperRoutes: FastifyPluginAsyncZod = async app => {
  app.addHook('onRequest', requireUser)

  app.post(
    '/flash-deals/generate/:productId',
    route('Draw the personal discount for a product (idempotent)', Discount, { params: DrawPath }),
    request => {
      const { productId } = request.params
      return drawDiscount(app, { user: sessionOf(request).user, productId, ip: request.ip })
    }
  )

  app.get(
    '/flash-deals/mine',
    route("List the user's drawn discounts for running deals", z.array(Discount)),
    request => readMyDiscounts(app, sessionOf(request).user._id, app.clock())
  )
}

const adminRoutes: FastifyPluginAsyncZod = async app => {
  const checkPercent = (
    request: Pick<FastifyRequest, 'session'>,
    { discountPercentage }: DealDraft | DealChange
  ): void => {
    if (discountPercentage > MAX_PERCENT_WITHOUT_VERIFICATION)
      requireRecentVerification(request, app.clock())
  }

  app.post(
    '/discounted-products',
    { schema: { summary: 'Create a deal', body: DealDraft, response: { 201: AdminDeal } } },
    async (request, reply) => {
      checkPercent(request, request.body)
      return reply.code(201).send(await createDeal(app, sessionOf(request).user, request.body))
    }
  )

  app.patch(
    '/discounted-products/:id',
    route('Change a deal that has not ended', AdminDeal, { params: IdPath, body: DealChange }),
    async request => {
      checkPercent(request, request.body)
      return changeDeal(app, sessionOf(request).user, request.params.id, request.body)
    }
  )

  app.delete(
    '/discounted-products/:id',
    route('Delete a deal', Done, { params: IdPath, querystring: DealRemovalQuery }),
    async request => {
      const { version } = request.query
      await removeDeal(
        app,
        sessionOf(request).user,
        request.params.id,
        version === undefined ? version : Number(version)
      )
      return { message: DEAL_MESSAGES.dealDeleted }
    }
  )
}
