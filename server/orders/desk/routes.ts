import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { toAddressLines } from '#lib/account/address.ts'
import { hasParcel } from '#lib/admin/orders.ts'
import { LIST_LIMITS, ORDER_LIMITS } from '#lib/constants.ts'
import { Dashboard, KitchenDashboard, OrderCount } from '#lib/contract/admin.ts'
import {
  KitchenDayQuery,
  PricedKitchenDay,
  KitchenOrder,
  KitchenStatusReport
} from '#lib/contract/kitchen.ts'
import {
  OrderCancellation,
  OrderChangeRequest,
  OrderRefundRequest,
  ReversalAcknowledgement,
  OrderStatusChange,
  OrderStatusChanges,
  AdminOrder,
  AdminOrderList,
  OrderQuery,
  OrderMessage,
  OrderStatusReport
} from '#lib/contract/desk.ts'
import { IdPath } from '#lib/contract/values.ts'
import {
  formatItem,
  giftLines,
  listCreditNotes,
  toRefunded,
  METHOD_LABELS,
  STATUS_LABELS,
  toPaymentLabel
} from '#lib/order.ts'
import { toDayInIndia } from '#lib/time.ts'
import { clientOf } from '../../accounts/attempt-limits.ts'
import { requireRecentVerification, sessionOf } from '../../accounts/sessions.ts'
import { verifyIdentity } from '../../accounts/verify.ts'
import { writeCsv } from '../../catalog/csv-file.ts'
import { sendIfNew } from '../../platform/http/content-negotiation.ts'
import { route } from '../../platform/http/validate.ts'
import { inEnglish } from '../../platform/language.ts'
import { addLinkRoute } from '../link.ts'
import { kitchenOrderRoutes, readKitchenDay } from '../kitchen.ts'
import { acknowledgeReversals } from '../payment/reversals.ts'
import { taxReportRoutes } from '../tax/report.ts'
import { cancelAsAdmin } from './cancel.ts'
import { changeOrder } from './change.ts'
import {
  countInvoices,
  readAdminOrder,
  readAdminOrders,
  readDashboard,
  readKitchenDashboard
} from './orders.ts'
import { refundOrder } from './refund.ts'
import { composeMessages, updateFulfilment, updateFulfilments } from './status.ts'

export const adminOrderRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/orders',
    route('List orders (paginated)', AdminOrderList, { querystring: OrderQuery }),
    ({ query }) =>
      readAdminOrders(
        app,
        query,
        query.ids === undefined ? LIST_LIMITS.pageSize : ORDER_LIMITS.maxBatch
      )
  )

  app.get(
    '/orders/export',
    {
      schema: {
        summary: 'Export the orders, with names and addresses, as CSV',
        querystring: OrderQuery
      }
    },
    async (request, reply) => {
      requireRecentVerification(request)
      const { page: _, ...query } = request.query
      const { orders } = await readAdminOrders(app, query, ORDER_LIMITS.maxExported)
      const name = `orders-${toDayInIndia(app.clock())}.csv`
      const rows = inEnglish(() =>
        orders.map(order => Object.values(COLUMNS).map(format => format(order)))
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(writeCsv([Object.keys(COLUMNS), ...rows]))
    }
  )

  app.get(
    '/orders/day',
    route('List the orders that the kitchen cooks on a day', PricedKitchenDay, {
      querystring: KitchenDayQuery
    }),
    ({ query }) => readKitchenDay(app, query.date)
  )

  app.get('/orders/:id', route('Get an order', AdminOrder, { params: IdPath }), ({ params }) =>
    readAdminOrder(app, params.id)
  )

  // The kitchen's replies contain no prices and payments.
  for (const [path, reply, report] of [
    ['/orders', AdminOrder, OrderStatusReport],
    ['/kitchen/orders', KitchenOrder, KitchenStatusReport]
  ] as const) {
    app.post(
      `${path}/:id/move`,
      route('Move an order one fulfilment status forward or back', reply, {
        params: IdPath,
        body: OrderStatusChange
      }),
      async request => {
        const { user: actor } = sessionOf(request)
        await updateFulfilment(app, request.params.id, { ...request.body, actor })
        return readAdminOrder(app, request.params.id)
      }
    )

    app.post(
      `${path}/move`,
      route('Change the fulfilment status of several orders independently', report, {
        body: OrderStatusChanges
      }),
      async request => {
        const { moved, left } = await updateFulfilments(app, sessionOf(request).user, request.body)
        return { moved, left: path === '/orders' ? left : left.filter(hasParcel) }
      }
    )
  }

  app.post(
    '/orders/:id/messages',
    route('Compose texts about an order for its customer', z.array(OrderMessage), {
      params: IdPath
    }),
    ({ params }) => composeMessages(app, params.id)
  )

  app.post(
    '/orders/:id/cancel',
    route('Cancel and refund an order (needs the password or a code)', AdminOrder, {
      params: IdPath,
      body: OrderCancellation
    }),
    async request => {
      const { user } = sessionOf(request)
      const { proof, ...cancellation } = request.body
      await verifyIdentity(app, user, proof, clientOf(request), async () => undefined)
      await cancelAsAdmin(app, user, request.params.id, cancellation)
      return readAdminOrder(app, request.params.id)
    }
  )

  addLinkRoute(app)

  app.post(
    '/orders/:id/change',
    route('Change the delivery of a paid order', AdminOrder, {
      params: IdPath,
      body: OrderChangeRequest
    }),
    async request => {
      await changeOrder(app, sessionOf(request).user, request.params.id, request.body)
      return readAdminOrder(app, request.params.id)
    }
  )

  app.post(
    '/orders/:id/refund',
    route('Refund packs or an amount of a paid order (idempotent by key)', AdminOrder, {
      params: IdPath,
      body: OrderRefundRequest
    }),
    async request => {
      // Without it, anybody with an administrator's unlocked device could refund orders.
      requireRecentVerification(request)
      await refundOrder(app, sessionOf(request).user, request.params.id, request.body)
      return readAdminOrder(app, request.params.id)
    }
  )

  app.post(
    '/orders/:id/acknowledge',
    route('Let an order continue despite refunds or disputes at the provider', AdminOrder, {
      params: IdPath,
      body: ReversalAcknowledgement
    }),
    async request => {
      await acknowledgeReversals(app, sessionOf(request).user, request.params.id, request.body)
      return readAdminOrder(app, request.params.id)
    }
  )

  app.get('/kitchen', route('Count orders to pack and list low stock', KitchenDashboard), () =>
    readKitchenDashboard(app)
  )

  app.get(
    '/kitchen/order-count',
    route('Count paid orders', OrderCount),
    async (request, reply) => {
      const orders = await countInvoices(app.database.kysely)
      const headers = { etag: `"${orders}"`, 'content-type': 'application/json; charset=utf-8' }
      sendIfNew(request, reply, headers, Buffer.from(JSON.stringify({ orders })))
      return reply
    }
  )

  await app.register(kitchenOrderRoutes)
  await app.register(taxReportRoutes)

  app.get('/dashboard', route('Get sales, counts and low stock', Dashboard), () =>
    readDashboard(app)
  )
}

const COLUMNS: Record<string, (order: AdminOrder) => string> = {
  Order: ({ orderNumber }) => orderNumber,
  'Ordered on': ({ createdAt }) => toDayInIndia(Date.parse(createdAt)),
  Status: ({ status }) => STATUS_LABELS[status],
  'Delivery date': ({ deliveryDate }) => deliveryDate ?? '',
  Name: ({ customerDetails }) => customerDetails.name,
  Phone: ({ customerDetails }) => customerDetails.phone,
  Email: ({ customerDetails }) => customerDetails.email,
  Address: ({ shippingAddress }) => toAddressLines(shippingAddress).join(', '),
  City: ({ shippingAddress }) => shippingAddress.city,
  State: ({ shippingAddress }) => shippingAddress.state,
  Pincode: ({ shippingAddress }) => shippingAddress.pincode,
  Products: ({ items }) => items.map(formatItem).join('; '),
  Packs: ({ items }) => String(items.reduce((sum, { quantity }) => sum + quantity, 0)),
  Coupon: ({ coupon }) => coupon?.code ?? '',
  'Coupon discount (₹)': ({ coupon }) => coupon?.discount.toFixed(2) ?? '',
  'Total (₹)': ({ totalAmount }) => totalAmount.toFixed(2),
  Payment: order => toPaymentLabel(order) + (order.isTest ? ' (test)' : ''),
  Invoice: ({ invoiceNumber }) => invoiceNumber ?? '',
  'Credit note': order => listCreditNotes(order).join('; '),
  'Payment id': ({ razorpay_payment_id }) => razorpay_payment_id ?? '',
  Delivery: ({ deliveryMethod }) => (deliveryMethod ? METHOD_LABELS[deliveryMethod] : ''),
  Courier: ({ shipment }) => shipment?.courier ?? '',
  'Tracking number': ({ shipment }) => shipment?.trackingNumber ?? '',
  Event: ({ eventAt }) => eventAt?.replace('T', ' ') ?? '',
  Note: ({ note }) => note ?? '',
  Gift: ({ gift }) => giftLines(gift).join('\n'),
  'Delivery fee (₹)': ({ deliveryFee }) => deliveryFee?.toFixed(2) ?? '',
  'Refunded (₹)': order => toRefunded(order).toFixed(2)
}
