import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { AdminCoupon, CouponChange, CouponDraft } from '#lib/contract/coupons.ts'
import { IdPath } from '#lib/contract/values.ts'
import { recordRoutes, toEditor } from '../accounts/record-routes.ts'
import { route } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { coupons, createCoupon, endCoupon, readCoupons } from './coupons.ts'

export const couponRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/coupons', route('List all coupons', z.array(AdminCoupon)), () =>
    readCoupons(app.database.kysely, isoNow(app.clock))
  )

  recordRoutes(app, {
    noun: 'coupon',
    item: AdminCoupon,
    draft: CouponDraft,
    change: CouponChange,
    find: id => coupons.require(app.database.kysely, id, isoNow(app.clock)),
    create: (editor, draft) => createCoupon(app, editor, draft),
    edit: (editor, id, change) => coupons.change(app, editor, id, change)
  })

  app.post(
    '/coupons/:id/end',
    route('End a coupon now', AdminCoupon, { params: IdPath }),
    request => endCoupon(app, toEditor(request), request.params.id)
  )
}
