import formbody from '@fastify/formbody'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { PaymentOrder, PaymentOrderRequest, PaymentState } from '#lib/contract/orders.ts'
import { PathId } from '#lib/contract/values.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE } from '#lib/time.ts'
import { openPayment } from '../actions/checkout/open-payment.ts'
import { syncOrder } from '../actions/orders/sync-order.ts'
import { receiveCallback } from '../actions/payments/receive-callback.ts'
import { processEvent, receiveWebhook } from '../actions/payments/receive-webhook.ts'
import { requireUser, signedIn } from '../plugins/session.ts'

const tags = ['payments']
const WEBHOOK_LIMIT = 1024 * 1024
/** Of one shopper, a minute. */
const OPENED = 60
const SYNCED = 30

export const paymentRoutes: FastifyPluginAsyncZod = async app => {
  await app.register(shopperRoutes)
  await app.register(callbackRoute)
  await app.register(webhookRoute)
}

const shopperRoutes: FastifyPluginAsyncZod = async app => {
  app.addHook('onRequest', requireUser)

  app.post(
    '/payments/razorpay-order',
    {
      schema: {
        tags,
        summary: 'Opens the payment of a checkout, at the prices of now; repeated with the same key, the same',
        body: PaymentOrderRequest,
        response: { 200: PaymentOrder }
      },
      config: { rateLimit: { max: OPENED, timeWindow: MINUTE, keyGenerator: shopperOf } }
    },
    request => openPayment(app, signedIn(request).user, request.body)
  )

  app.post(
    '/payments/:orderId/sync',
    {
      schema: {
        tags,
        summary: 'Asks the provider how a payment stands',
        params: z.object({ orderId: PathId }),
        response: { 200: PaymentState }
      },
      config: { rateLimit: { max: SYNCED, timeWindow: MINUTE, keyGenerator: shopperOf } }
    },
    request => syncOrder(app, signedIn(request).user._id, request.params.orderId)
  )
}

/** Posted by the provider's page where its window can't open: the shopper comes back to the cart, which finds out the rest. */
const callbackRoute: FastifyPluginAsyncZod = async app => {
  // Only here, so that no other call can be made by a form of another site.
  await app.register(formbody)
  const { siteUrl, publicApiBase } = app.config
  const cart = `${publicApiBase.startsWith('/') ? '' : siteUrl}${paths.cart}`

  app.post(
    '/payments/razorpay-callback',
    {
      schema: { tags, summary: "Where the provider's page sends a shopper's browser" },
      config: { rateLimit: { max: SYNCED, timeWindow: MINUTE } }
    },
    async (request, reply) => {
      const order = await receiveCallback(app, request.body)
      return reply.redirect(order === undefined ? cart : `${cart}?order=${encodeURIComponent(order)}`, 303)
    }
  )
}

const webhookRoute: FastifyPluginAsyncZod = async app => {
  // What is signed are the bytes, not what they mean.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body)

  app.post(
    '/payments/razorpay-webhook',
    {
      schema: { tags, summary: 'Where the provider tells what happened, signed with the webhook secret' },
      bodyLimit: WEBHOOK_LIMIT
    },
    async (request, reply) => {
      const { 'x-razorpay-signature': signature, 'x-razorpay-event-id': id } = request.headers
      const event = await receiveWebhook(app, {
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: typeof signature === 'string' ? signature : '',
        id: typeof id === 'string' && id !== '' ? id.slice(0, 200) : undefined
      })
      if (event) app.later(() => processEvent(app, event))
      return reply.send({ message: 'ok' })
    }
  )
}

function shopperOf(request: FastifyRequest): string {
  return signedIn(request).user._id
}
