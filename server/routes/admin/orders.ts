import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import {
  AdminOrder,
  MovedOrders,
  OrderCancellation,
  OrderList,
  OrderMove,
  OrderMoves,
  OrderQuery
} from '#lib/contract/admin/orders.ts'
import { PathId } from '#lib/contract/values.ts'
import { ORDER_LISTS } from '#lib/admin/orders.ts'
import { dayInIndia } from '#lib/time.ts'
import { proveOwner } from '../../actions/accounts/prove-owner.ts'
import { cancelForShop } from '../../actions/orders/cancel-for-shop.ts'
import { readAdminOrder, readAdminOrders } from '../../actions/orders/list-orders.ts'
import { moveMany, moveSeen } from '../../actions/orders/move-order.ts'
import { writeOrders } from '../../actions/orders/write-orders.ts'
import { signedIn } from '../../plugins/session.ts'

const OrderPath = z.object({ id: PathId })
const tags = ['admin']

export const adminOrderRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/orders',
    { schema: { tags, summary: 'Orders, a page of them', querystring: OrderQuery, response: { 200: OrderList } } },
    // What is named one by one comes at once.
    ({ query }) => readAdminOrders(app, query, query.ids === undefined ? ORDER_LISTS.page : ORDER_LISTS.most)
  )

  app.get(
    '/orders/export',
    {
      schema: {
        tags,
        summary: 'The same orders, all of them, as a table (CSV) that opens in a spreadsheet',
        querystring: OrderQuery
      }
    },
    async ({ query: { page: _, ...query } }, reply) => {
      const { orders } = await readAdminOrders(app, query, ORDER_LISTS.exported)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="orders-${dayInIndia(app.clock())}.csv"`)
        .send(writeOrders(orders))
    }
  )

  app.get(
    '/orders/:id',
    { schema: { tags, summary: 'One order', params: OrderPath, response: { 200: AdminOrder } } },
    ({ params }) => readAdminOrder(app, params.id)
  )

  app.post(
    '/orders/:id/move',
    {
      schema: {
        tags,
        summary: 'Moves an order one step on, or back, from where it stood',
        params: OrderPath,
        body: OrderMove,
        response: { 200: AdminOrder }
      }
    },
    async request => {
      await moveSeen(app, request.params.id, { ...request.body, actor: signedIn(request).user })
      return readAdminOrder(app, request.params.id)
    }
  )

  app.post(
    '/orders/move',
    {
      schema: { tags, summary: 'Moves many orders, each by itself', body: OrderMoves, response: { 200: MovedOrders } }
    },
    request => moveMany(app, signedIn(request).user, request.body)
  )

  app.post(
    '/orders/:id/cancel',
    {
      schema: {
        tags,
        summary: 'Cancels an order for a reason, and gives back what was paid; wants password or code again',
        params: OrderPath,
        body: OrderCancellation,
        response: { 200: AdminOrder }
      }
    },
    async request => {
      const { user } = signedIn(request)
      const { proof, ...cancellation } = request.body
      await proveOwner(app, user, proof, request.ip, async () => undefined)
      await cancelForShop(app, user, request.params.id, cancellation)
      return readAdminOrder(app, request.params.id)
    }
  )
}
