import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { DeliveryQuery, DeliveryReply } from '#lib/contract/delivery.ts'
import { MINUTE } from '#lib/time.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { findOffers } from './offers.ts'

/** Per network: many shoppers of a mobile carrier have the same IPv4 address. */
const MAX_QUESTIONS_PER_MINUTE = 1200

export const deliveryRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/delivery',
    {
      preHandler: limitRequests({ action: 'pincodes', max: MAX_QUESTIONS_PER_MINUTE, window: MINUTE }),
      ...route('Get delivery method, fee and days for a pincode', DeliveryReply, {
        querystring: DeliveryQuery
      })
    },
    async (request, reply) => {
      const data = await app.publicReplies.get()
      const { pincode, items } = request.query
      const rules = await data.deliveryRules()
      const products = await data.offeredProducts()
      // Without validation: checking hundreds of days would take longer than the rest of the request.
      void reply.type('application/json; charset=utf-8').serializer(value => JSON.stringify(value))
      return findOffers(app.database.kysely, { pincode, items, rules, products, now: app.clock() })
    }
  )
}
