import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import {
  AdminOrder,
  OrderStatusReport,
  OrderCancellation,
  OrderList,
  OrderStatusChange,
  OrderStatusChanges,
  OrderQuery
} from '#lib/contract/admin/orders.ts'
import { PathId } from '#lib/contract/values.ts'
import { ORDER_LIMITS } from '#lib/admin/orders.ts'
import { toDayInIndia } from '#lib/time.ts'
import { verifyIdentity } from '../accounts/verify-identity.ts'
import { cancelAsAdmin } from './cancel-as-admin.ts'
import { readAdminOrder, readAdminOrders } from './list-orders.ts'
import { updateFulfilments, updateFulfilment } from './update-fulfilment.ts'
import { writeOrders } from './orders-csv.ts'
import { sessionOf } from '../accounts/session.ts'

const OrderPath = z.object({ id: PathId })
const tags = ['admin']

export const adminOrderRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/orders',
    { schema: { tags, summary: 'List orders (paginated)', querystring: OrderQuery, response: { 200: OrderList } } },
    // If the request contains order ids, all these orders are returned on one page.
    ({ query }) => readAdminOrders(app, query, query.ids === undefined ? ORDER_LIMITS.pageSize : ORDER_LIMITS.maxBatch)
  )

  app.get(
    '/orders/export',
    {
      schema: {
        tags,
        summary: 'Export the orders as CSV',
        querystring: OrderQuery
      }
    },
    async ({ query: { page: _, ...query } }, reply) => {
      const { orders } = await readAdminOrders(app, query, ORDER_LIMITS.maxExported)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="orders-${toDayInIndia(app.clock())}.csv"`)
        .send(writeOrders(orders))
    }
  )

  app.get(
    '/orders/:id',
    { schema: { tags, summary: 'Get an order', params: OrderPath, response: { 200: AdminOrder } } },
    ({ params }) => readAdminOrder(app, params.id)
  )

  app.post(
    '/orders/:id/move',
    {
      schema: {
        tags,
        summary: 'Move an order one fulfilment status forward or back',
        params: OrderPath,
        body: OrderStatusChange,
        response: { 200: AdminOrder }
      }
    },
    async request => {
      await updateFulfilment(app, request.params.id, { ...request.body, actor: sessionOf(request).user })
      return readAdminOrder(app, request.params.id)
    }
  )

  app.post(
    '/orders/move',
    {
      schema: {
        tags,
        summary: 'Change the fulfilment status of several orders independently',
        body: OrderStatusChanges,
        response: { 200: OrderStatusReport }
      }
    },
    request => updateFulfilments(app, sessionOf(request).user, request.body)
  )

  app.post(
    '/orders/:id/cancel',
    {
      schema: {
        tags,
        summary: 'Cancel and refund an order (needs the password or a code)',
        params: OrderPath,
        body: OrderCancellation,
        response: { 200: AdminOrder }
      }
    },
    async request => {
      const { user } = sessionOf(request)
      const { proof, ...cancellation } = request.body
      await verifyIdentity(app, user, proof, request.ip, async () => undefined)
      await cancelAsAdmin(app, user, request.params.id, cancellation)
      return readAdminOrder(app, request.params.id)
    }
  )
}
