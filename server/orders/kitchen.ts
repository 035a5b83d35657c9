import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { hasParcel, isOnHold } from '#lib/admin/orders.ts'
import { LIST_LIMITS, ORDER_LIMITS } from '#lib/constants.ts'
import {
  Bookings,
  KitchenDay,
  KitchenDayQuery,
  PackedLines,
  PackingTicks,
  type PricedKitchenDay,
  KitchenOrder,
  KitchenOrderList,
  KitchenOrderQuery
} from '#lib/contract/kitchen.ts'
import { IdPath, MonthQuery } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { toRupees } from '#lib/money.ts'
import { toDayInIndia, isoNow } from '#lib/time.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import { readInBatches } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import {
  findOrders,
  isCooked,
  readAdminOrder,
  readAdminOrders,
  toShownReversals
} from './desk/orders.ts'
import { listReversalsByOrder } from './payment/refunds.ts'
import { addressOf, customerOf, statusOf } from './queries.ts'
import { type ReadDeps, toWishes } from './view.ts'

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
    ({ query: { month } }) =>
      app.database.kysely
        .selectFrom('delivery_days')
        .select(['day', 'orders', 'units'])
        .where('day', '>=', `${month}-01`)
        .where('day', '<=', `${month}-31`)
        .orderBy('day')
        .execute()
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

/** Shipped and ready orders are stored as `packed`. */
const WITH_PARCEL = ['pending', 'packed', 'delivered'] as const

export async function readKitchenDay(
  { database, clock }: ReadDeps,
  date?: string
): Promise<PricedKitchenDay> {
  const db = database.kysely
  const day = date ?? toDayInIndia(clock())
  const rows = await listOrdersOf(db, day)
  const ids = rows.map(({ id }) => id)
  const lines = await listLines(db, ids)
  const reversals = await listReversalsByOrder(db, ids)
  const orders = rows.map(row => {
    const status = statusOf(row)
    return {
      _id: row.id,
      orderNumber: row.order_no,
      status,
      customerDetails: { name: customerOf(row).name, phone: customerOf(row).phone },
      shippingAddress: addressOf(row),
      deliveryDate: row.delivery_date,
      ...(row.delivery_method !== null && { deliveryMethod: row.delivery_method }),
      ...toWishes(row),
      isAnonymised: row.anonymised_at !== null,
      isTest: row.payment_mode === 'test',
      isOnHold: isOnHold({ status, reversals: toShownReversals(reversals.get(row.id)) }),
      totalAmount: toRupees(row.total),
      lines: lines
        .filter(({ order_id }) => order_id === row.id)
        .map(line => ({
          n: line.n,
          product: { id: line.product_id, name: line.name, nameTamil: line.name_tamil },
          category: line.category,
          packSize: { value: line.pack_value, unit: line.pack_unit, type: line.pack_type },
          quantity: line.quantity,
          isPacked: line.packed_at !== null
        }))
    }
  })
  return { day, orders }
}

async function listOrdersOf(db: Db, day: string): Promise<OrderRow[]> {
  const rows = await findOrders(db, {})
    .where(row => isCooked(row, { from: day, until: day }))
    .orderBy('created_at')
    .orderBy('orders.id')
    .execute()
  // Not in the query: the database could prefer the index of the status, which most orders have.
  return rows.filter(({ fulfilment_status }) =>
    WITH_PARCEL.some(status => status === fulfilment_status)
  )
}

function listLines(db: Db, ids: readonly string[]) {
  return readInBatches(ids, batch =>
    db
      .selectFrom('order_lines')
      .innerJoin('products', 'products.id', 'order_lines.product_id')
      .leftJoin('packed_lines', join =>
        join
          .onRef('packed_lines.order_id', '=', 'order_lines.order_id')
          .onRef('packed_lines.n', '=', 'order_lines.n')
          .onRef('packed_lines.quantity', '=', 'order_lines.quantity')
      )
      .select(['order_lines.order_id', 'order_lines.n', 'order_lines.product_id'])
      .select(['order_lines.name', 'name_tamil', 'order_lines.category', 'order_lines.pack_value'])
      .select(['order_lines.pack_unit', 'order_lines.pack_type', 'order_lines.quantity'])
      .select('packed_at')
      .where('order_lines.order_id', 'in', batch)
      .orderBy('order_lines.order_id')
      .orderBy('order_lines.n')
      .execute()
  )
}

async function tickLines(
  { write, database: { kysely: db }, clock }: DataDeps,
  id: string,
  { lines, isPacked }: PackingTicks
): Promise<PackedLines> {
  const at = isoNow(clock)
  const numbers = lines.map(({ n }) => n)
  await write(
    async trx => {
      if (isPacked) return insertTicks(trx, id, lines, at)
      const ticks = trx.deleteFrom('packed_lines').where('order_id', '=', id)
      await ticks.where('n', 'in', numbers).execute()
    },
    { shows: 'nothing' }
  )
  const open = findOrders(db, { ids: id }).where('fulfilment_status', 'in', WITH_PARCEL)
  if (!(await open.executeTakeFirst())) throw new ShopError('ORDER_NOT_FOUND')
  const rows = await listLines(db, [id])
  return { packed: rows.filter(({ packed_at }) => packed_at !== null).map(({ n }) => n) }
}

async function insertTicks(trx: Trx, id: string, lines: PackingTicks['lines'], at: string) {
  await trx
    .insertInto('packed_lines')
    .columns(['order_id', 'n', 'quantity', 'packed_at'])
    .expression(({ selectFrom }) =>
      selectFrom('order_lines')
        .select(row => ['order_id', 'n', 'quantity', row.val(at).as('packed_at')])
        .where('order_id', '=', id)
        .where(({ or, and }) => or(lines.map(({ n, quantity }) => and({ n, quantity }))))
    )
    .onConflict(conflict =>
      conflict
        .columns(['order_id', 'n'])
        .doUpdateSet(row => ({ quantity: row.ref('excluded.quantity') }))
    )
    .execute()
}
