import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { AdminCoupon, CouponChange, CouponDraft } from '#lib/contract/coupons.ts'
import { IdPath } from '#lib/contract/values.ts'
import { requireRecentVerification, sessionOf } from '../accounts/sessions.ts'
import { route } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { changeCoupon, createCoupon, endCoupon, readCoupon, readCoupons } from './coupons.ts'

/** Deeper discounts need a recent verification, like flash deals. */
const MAX_SHARE_WITHOUT_VERIFICATION = 0.5

export const couponRoutes: FastifyPluginAsyncZod = async app => {
  const checkDiscount = (
    request: Pick<FastifyRequest, 'session'>,
    { percent, amount, minimum, mayBeFree }: CouponDraft | CouponChange
  ): void => {
    // The highest share of an order that the coupon takes off.
    const share = amount === null ? (percent ?? 0) / 100 : amount / minimum
    if (mayBeFree || share > MAX_SHARE_WITHOUT_VERIFICATION)
      requireRecentVerification(request, app.clock())
  }

  app.get('/coupons', route('List all coupons', z.array(AdminCoupon)), () =>
    readCoupons(app.database.kysely, isoNow(app.clock))
  )

  app.get('/coupons/:id', route('Get a coupon', AdminCoupon, { params: IdPath }), request =>
    readCoupon(app.database.kysely, request.params.id, isoNow(app.clock))
  )

  app.post(
    '/coupons',
    {
      schema: {
        summary: 'Create a coupon (idempotent by key)',
        body: CouponDraft,
        response: { 201: AdminCoupon }
      }
    },
    async (request, reply) => {
      checkDiscount(request, request.body)
      return reply.code(201).send(await createCoupon(app, sessionOf(request).user, request.body))
    }
  )

  app.patch(
    '/coupons/:id',
    route('Change a coupon that has not ended', AdminCoupon, {
      params: IdPath,
      body: CouponChange
    }),
    async request => {
      checkDiscount(request, request.body)
      return changeCoupon(app, sessionOf(request).user, request.params.id, request.body)
    }
  )

  app.post(
    '/coupons/:id/end',
    route('End a coupon now', AdminCoupon, { params: IdPath }),
    request => endCoupon(app, sessionOf(request).user, request.params.id)
  )
}
