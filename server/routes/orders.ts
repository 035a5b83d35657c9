import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { Order, OrderRequest } from '#lib/contract/orders.ts'
import { PathId } from '#lib/contract/values.ts'
import { cancelOrder } from '../actions/orders/cancel-order.ts'
import { placeOrder } from '../actions/orders/place-order.ts'
import { readMyOrders, readOrder } from '../actions/orders/read-orders.ts'
import { requireUser, signedIn } from '../plugins/session.ts'

const OrderPath = z.object({ id: PathId })
const STATUS = { created: 201, existing: 200, checking: 202 } as const

export const orderRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['orders']
  app.addHook('onRequest', requireUser)

  app.post(
    '/orders',
    {
      schema: {
        tags,
        summary: "Makes the order of a payment, by what the provider's window gave",
        body: OrderRequest,
        response: { 200: Order, 201: Order, 202: Order }
      }
    },
    async (request, reply) => {
      const { outcome, order } = await placeOrder(app, signedIn(request).user, request.body)
      return reply.code(STATUS[outcome]).send(order)
    }
  )

  app.get(
    '/orders/my-orders',
    { schema: { tags, summary: "The shopper's orders, the latest first", response: { 200: z.array(Order) } } },
    request => readMyOrders(app, signedIn(request).user._id)
  )

  app.get(
    '/orders/:id',
    { schema: { tags, summary: 'One order', params: OrderPath, response: { 200: Order } } },
    request => readOrder(app, signedIn(request).user._id, request.params.id)
  )

  app.post(
    '/orders/:id/cancel',
    {
      schema: { tags, summary: 'Cancels an order on its day', params: OrderPath, response: { 200: Order } }
    },
    request => cancelOrder(app, signedIn(request).user._id, request.params.id)
  )
}
