import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import {
  CartChange,
  OrderRequest,
  PaymentOrder,
  PaymentOrderRequest,
  PaymentState,
  Quote,
  QuoteRequest,
  ServerCart
} from '#lib/contract/checkout.ts'
import { LinkedOrder, Order, OrderLinkToken } from '#lib/contract/orders.ts'
import { IdPath, PathId } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE } from '#lib/time.ts'
import { readSession, requireUser, sessionOf } from '../accounts/sessions.ts'
import { toSiteBase } from '../config.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { keepRawBodies, route, toBytes } from '../platform/http/validate.ts'
import { cancelOrder } from './desk/cancel.ts'
import { changeCart, clearCart, readCart, quoteCart } from './checkout/cart.ts'
import { createPaymentOrder } from './checkout/door.ts'
import { addLinkRoute, findLinkedOrder } from './link.ts'
import { readMyOrders, readOrder, readOrderView } from './view.ts'
import {
  placeOrder,
  processAfterBrowser,
  receiveCallback,
  receiveWebhook,
  syncOrder
} from './payment/reports.ts'

const WEBHOOK_LIMIT = 128 * 1024
const WEBHOOK_SIGNATURE = /^[0-9a-f]{64}$/
/** Calls that ask the payment provider. */
const limitOf = (action: 'syncs' | 'cancellations') =>
  limitRequests({
    action,
    max: 30,
    window: MINUTE,
    userOf: request => sessionOf(request).user._id
  })
/** Per network: many shoppers of a mobile carrier have the same IPv4 address. */
const MAX_PER_NETWORK = { max: 600, window: MINUTE }

export const orderRoutes: FastifyPluginAsyncZod = async app => {
  await app.register(shopperRoutes)
  await app.register(callbackRoute)
  await app.register(webhookRoute)

  app.post(
    '/cart/quote',
    route('Price a cart, with a coupon, and with drawn discounts if logged in', Quote, {
      body: QuoteRequest
    }),
    async request => {
      const session = await readSession(request)
      return quoteCart(app, request.body, { user: session?.user, ip: request.ip })
    }
  )

  app.post(
    '/orders/by-link',
    {
      preHandler: limitRequests({ action: 'order links', ...MAX_PER_NETWORK }),
      ...route('Get what an order’s link shows without a login', LinkedOrder, {
        body: OrderLinkToken
      })
    },
    async request => readOrderView(app, await findLinkedOrder(app, request.body.token))
  )
}

const shopperRoutes: FastifyPluginAsyncZod = async app => {
  app.addHook('onRequest', requireUser)

  app.get('/cart', route('Get the saved cart', ServerCart), request =>
    readCart(app, sessionOf(request).user._id)
  )

  app.put(
    '/cart',
    route('Replace the cart if its version is unchanged', ServerCart, { body: CartChange }),
    request => changeCart(app, sessionOf(request).user._id, request.body)
  )

  app.delete('/cart', route('Empty the cart', ServerCart), request =>
    clearCart(app, sessionOf(request).user._id)
  )

  app.post(
    '/payments/razorpay-order',
    route('Create the payment order at current prices (idempotent by checkoutKey)', PaymentOrder, {
      body: PaymentOrderRequest
    }),
    async (request, reply) => {
      const shopper = { user: sessionOf(request).user, ip: request.ip }
      const order = await createPaymentOrder(app, shopper, request.body)
      logOrder(reply, order.orderId)
      return order
    }
  )

  app.post(
    '/payments/:orderId/sync',
    {
      preHandler: limitOf('syncs'),
      ...route('Reconcile an order with the payment provider', PaymentState, {
        params: z.object({ orderId: PathId })
      })
    },
    request => syncOrder(app, sessionOf(request).user._id, request.params.orderId)
  )

  app.post(
    '/orders',
    {
      schema: {
        summary: 'Confirm the payment and place the order',
        body: OrderRequest,
        response: { 200: Order, 201: Order, 202: Order }
      }
    },
    async (request, reply) => {
      const { status, order } = await placeOrder(app, sessionOf(request).user, request.body)
      logOrder(reply, order._id)
      return reply.code(status).send(order)
    }
  )

  app.get(
    '/orders/my-orders',
    route("List the user's orders, newest first", z.array(Order)),
    request => readMyOrders(app, sessionOf(request).user._id)
  )

  app.get('/orders/:id', route('Get an order', Order, { params: IdPath }), request =>
    readOrder(app, sessionOf(request).user._id, request.params.id)
  )

  app.post(
    '/orders/:id/cancel',
    {
      preHandler: limitOf('cancellations'),
      ...route('Cancel an order on the day it was placed', Order, { params: IdPath })
    },
    async request => {
      const userId = sessionOf(request).user._id
      await cancelOrder(app, userId, request.params.id)
      return readOrder(app, userId, request.params.id)
    }
  )

  addLinkRoute(app, request => sessionOf(request).user._id)
}

function logOrder(reply: FastifyReply, order: string) {
  reply.log = reply.log.child({ order })
}

/** For browsers in which its dialog can't open. The cart page then checks the payment. */
const callbackRoute: FastifyPluginAsyncZod = async app => {
  // Only for this route, so that forms on other websites can't post to the rest of the API (CSRF).
  await app.register(formbody)
  const cart = toSiteBase(app.config) + paths.cart

  app.post(
    '/payments/razorpay-callback',
    {
      schema: { summary: "Redirect the browser from the provider's payment page to the cart" },
      preHandler: limitRequests({ action: 'callbacks', ...MAX_PER_NETWORK })
    },
    async (request, reply) => {
      const order = await receiveCallback(app, request.body)
      if (order !== undefined) logOrder(reply, order)
      const query = order === undefined ? '' : `?order=${encodeURIComponent(order)}`
      return reply.redirect(`${cart}${query}`, 303)
    }
  )
}

const webhookRoute: FastifyPluginAsyncZod = async app => {
  keepRawBodies(app)
  app.post(
    '/payments/razorpay-webhook',
    {
      schema: { summary: 'Receive webhooks of the payment provider (signed)' },
      bodyLimit: WEBHOOK_LIMIT,
      // Strangers can't make the shop read and hash a body.
      onRequest: async request => {
        if (!WEBHOOK_SIGNATURE.test(signatureOf(request)))
          throw new ShopError('INVALID_PAYMENT', { overrideStatus: 401 })
      }
    },
    async (request, reply) => {
      const { 'x-razorpay-event-id': id } = request.headers
      const event = await receiveWebhook(app, {
        body: toBytes(request.body),
        signature: signatureOf(request),
        id: typeof id === 'string' && id !== '' ? id.slice(0, 200) : undefined
      })
      if (event) app.runAfterReply(() => processAfterBrowser(app, event))
      return reply.send({ message: 'ok' })
    }
  )
}

function signatureOf({ headers: { 'x-razorpay-signature': signature } }: FastifyRequest) {
  return typeof signature === 'string' ? signature : ''
}
