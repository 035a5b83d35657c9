import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { DiscountedProduct, FlashDeal } from '#lib/contract/deals.ts'
import { readAllDeals } from '../actions/read-all-deals.ts'
import { isoNow } from '../clock.ts'

export const dealRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['deals']

  app.get(
    '/discounted-products',
    {
      schema: {
        tags,
        summary: 'The running deals; for an administrator every deal',
        response: { 200: z.array(DiscountedProduct) }
      }
    },
    async (request, reply) => {
      // Who can't be recognised reads what everybody reads.
      const asks = await app.whoAsks(request).catch(() => undefined)
      if (asks?.user.role === 'admin') return readAllDeals(app.database.kysely)
      await app.reads.send({ request, reply }, 'discounted-products', view => view.deals())
      return reply
    }
  )

  app.get(
    '/flash-deals',
    { schema: { tags, summary: "The running deals, with the server's time", response: { 200: z.array(FlashDeal) } } },
    async () => {
      const view = await app.reads.get()
      const serverTime = isoNow(app.clock)
      return (await view.flashDeals()).map(deal => ({ ...deal, serverTime }))
    }
  )
}
