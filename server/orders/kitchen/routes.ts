import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { hasParcel } from '#lib/admin/orders.ts'
import { LIST_LIMITS, ORDER_LIMITS } from '#lib/constants.ts'
import { OrderStatusChange, OrderStatusChanges } from '#lib/contract/fulfilment.ts'
import {
  Bookings,
  KitchenDay,
  KitchenDayQuery,
  PackedLines,
  PackingTicks
} from '#lib/contract/kitchen.ts'
import {
  KitchenOrder,
  KitchenOrderList,
  KitchenOrderQuery,
  KitchenStatusReport
} from '#lib/contract/orders.ts'
import { IdPath, MonthQuery } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { toDayInIndia } from '#lib/time.ts'
import { sessionOf } from '../../accounts/sessions.ts'
import { route } from '../../platform/http/validate.ts'
import { updateFulfilment, updateFulfilments } from '../desk/status.ts'
import { readAdminOrder, readAdminOrders, type ReadDeps } from '../view.ts'
import { listBookings, readKitchenDay, tickLines } from './day.ts'

/** The reply schemas contain only what packing needs: no email address, price or payment. */
export const kitchenOrderRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/kitchen/day',
    route('List the orders that the kitchen cooks on a day, without their prices', KitchenDay, {
      querystring: KitchenDayQuery
    }),
    async ({ query }) => {
      const { day, orders } = await readKitchenDay(app, query.date)
      // Nobody in the kitchen needs the addresses of parcels that arrived long ago.
      const isPast = day < toDayInIndia(app.clock())
      return { day, orders: orders.filter(({ status }) => !isPast || status !== 'delivered') }
    }
  )

  app.post(
    '/kitchen/orders/:id/ticks',
    route('Mark lines of an order as packed, or as not packed', PackedLines, {
      params: IdPath,
      body: PackingTicks
    }),
    ({ params, body }) => tickLines(app, params.id, body)
  )

  app.get(
    '/kitchen/bookings',
    route('Count orders and kitchen units of each day of a month', Bookings, {
      querystring: MonthQuery
    }),
    ({ query }) => listBookings(app.database.kysely, query.month)
  )

  app.get(
    '/kitchen/orders',
    route('List orders to pack or to deliver (paginated)', KitchenOrderList, {
      querystring: KitchenOrderQuery
    }),
    ({ query }) => readKitchenOrders(app, query)
  )

  app.get(
    '/kitchen/orders/:id',
    route('Get an order without its prices', KitchenOrder, { params: IdPath }),
    ({ params }) => readKitchenOrder(app, params.id)
  )

  app.post(
    '/kitchen/orders/:id/move',
    route('Move an order one fulfilment status forward or back', KitchenOrder, {
      params: IdPath,
      body: OrderStatusChange
    }),
    async request => {
      await updateFulfilment(app, request.params.id, {
        ...request.body,
        actor: sessionOf(request).user
      })
      return readKitchenOrder(app, request.params.id)
    }
  )

  app.post(
    '/kitchen/orders/move',
    route('Change the fulfilment status of several orders independently', KitchenStatusReport, {
      body: OrderStatusChanges
    }),
    async request => {
      const { moved, left } = await updateFulfilments(app, sessionOf(request).user, request.body)
      return { moved, left: left.filter(hasParcel) }
    }
  )
}

/** A delivered order stays readable by its id, so that a wrong status can be corrected. */
async function readKitchenOrder(deps: ReadDeps, id: string): Promise<KitchenOrder> {
  const order = await readAdminOrder(deps, id)
  if (!hasParcel(order)) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

async function readKitchenOrders(
  deps: ReadDeps,
  { ids, status = 'pending', ...query }: KitchenOrderQuery
): Promise<KitchenOrderList> {
  if (ids === undefined) return readAdminOrders(deps, { ...query, status }, LIST_LIMITS.pageSize)
  const { orders } = await readAdminOrders(deps, { ids }, ORDER_LIMITS.maxBatch)
  const visible = orders.filter(hasParcel)
  return { orders: visible, count: visible.length, pages: 1 }
}
