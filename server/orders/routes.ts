import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { Order, OrderRequest } from '#lib/contract/orders.ts'
import { PathId } from '#lib/contract/values.ts'
import { cancelOrder } from './cancel-order.ts'
import { placeOrder } from './place-order.ts'
import { readMyOrders, readOrder } from './read-orders.ts'
import { requireUser, sessionOf } from '../accounts/session.ts'

const OrderPath = z.object({ id: PathId })
const STATUS_BY_OUTCOME = { created: 201, existing: 200, checking: 202 } as const

export const orderRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['orders']
  app.addHook('onRequest', requireUser)

  app.post(
    '/orders',
    {
      schema: {
        tags,
        summary: 'Confirm the payment and place the order',
        body: OrderRequest,
        response: { 200: Order, 201: Order, 202: Order }
      }
    },
    async (request, reply) => {
      const { outcome, order } = await placeOrder(app, sessionOf(request).user, request.body)
      return reply.code(STATUS_BY_OUTCOME[outcome]).send(order)
    }
  )

  app.get(
    '/orders/my-orders',
    { schema: { tags, summary: "List the user's orders, newest first", response: { 200: z.array(Order) } } },
    request => readMyOrders(app, sessionOf(request).user._id)
  )

  app.get(
    '/orders/:id',
    { schema: { tags, summary: 'Get an order', params: OrderPath, response: { 200: Order } } },
    request => readOrder(app, sessionOf(request).user._id, request.params.id)
  )

  app.post(
    '/orders/:id/cancel',
    {
      schema: { tags, summary: 'Cancel an order on the day it was placed', params: OrderPath, response: { 200: Order } }
    },
    request => cancelOrder(app, sessionOf(request).user._id, request.params.id)
  )
}
