import formbody from '@fastify/formbody'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { PaymentOrder, PaymentOrderRequest, PaymentState } from '#lib/contract/orders.ts'
import { PathId } from '#lib/contract/values.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE } from '#lib/time.ts'
import { createPaymentOrder } from './create-payment-order.ts'
import { syncOrder } from './sync-order.ts'
import { receiveCallback } from './receive-callback.ts'
import { processEvent, receiveWebhook } from './receive-webhook.ts'
import { requireUser, sessionOf } from '../accounts/session.ts'

const tags = ['payments']
const WEBHOOK_LIMIT = 1024 * 1024
const MAX_ORDERS_PER_MINUTE = 60
const MAX_SYNCS_PER_MINUTE = 30

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
        summary: 'Create the payment order at current prices (idempotent by checkoutKey)',
        body: PaymentOrderRequest,
        response: { 200: PaymentOrder }
      },
      config: { rateLimit: { max: MAX_ORDERS_PER_MINUTE, timeWindow: MINUTE, keyGenerator: toUserId } }
    },
    request => createPaymentOrder(app, sessionOf(request).user, request.body)
  )

  app.post(
    '/payments/:orderId/sync',
    {
      schema: {
        tags,
        summary: 'Reconcile an order with the payment provider',
        params: z.object({ orderId: PathId }),
        response: { 200: PaymentState }
      },
      config: { rateLimit: { max: MAX_SYNCS_PER_MINUTE, timeWindow: MINUTE, keyGenerator: toUserId } }
    },
    request => syncOrder(app, sessionOf(request).user._id, request.params.orderId)
  )
}

/** Razorpay's page posts here if its dialog can't open in the browser. The cart page then checks the payment. */
const callbackRoute: FastifyPluginAsyncZod = async app => {
  // Registered only for the route below, so that forms on other websites can't post to the rest of the API (CSRF).
  await app.register(formbody)
  const { siteUrl, publicApiBase } = app.config
  const cart = `${publicApiBase.startsWith('/') ? '' : siteUrl}${paths.cart}`

  app.post(
    '/payments/razorpay-callback',
    {
      schema: { tags, summary: "Redirect the browser from the provider's payment page to the cart" },
      config: { rateLimit: { max: MAX_SYNCS_PER_MINUTE, timeWindow: MINUTE } }
    },
    async (request, reply) => {
      const order = await receiveCallback(app, request.body)
      return reply.redirect(order === undefined ? cart : `${cart}?order=${encodeURIComponent(order)}`, 303)
    }
  )
}

const webhookRoute: FastifyPluginAsyncZod = async app => {
  // The body is not parsed, because the signature covers its raw bytes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body)

  app.post(
    '/payments/razorpay-webhook',
    {
      schema: { tags, summary: 'Receive webhooks of the payment provider (signed)' },
      bodyLimit: WEBHOOK_LIMIT
    },
    async (request, reply) => {
      const { 'x-razorpay-signature': signature, 'x-razorpay-event-id': id } = request.headers
      const event = await receiveWebhook(app, {
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: typeof signature === 'string' ? signature : '',
        id: typeof id === 'string' && id !== '' ? id.slice(0, 200) : undefined
      })
      if (event) app.runAfterReply(() => processEvent(app, event))
      return reply.send({ message: 'ok' })
    }
  )
}

function toUserId(request: FastifyRequest): string {
  return sessionOf(request).user._id
}
