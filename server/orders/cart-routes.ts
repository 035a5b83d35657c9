import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { CartChange, Quote, QuoteRequest, ServerCart } from '#lib/contract/cart.ts'
import { changeCart, clearCart, readCart } from './carts.ts'
import { quoteCart } from './quote-cart.ts'
import { requireUser, sessionOf } from '../accounts/session.ts'

const tags = ['cart']

export const cartRoutes: FastifyPluginAsyncZod = async app => {
  app.post(
    '/cart/quote',
    {
      schema: {
        tags,
        summary: 'Price a cart, with drawn discounts if logged in',
        body: QuoteRequest,
        response: { 200: Quote }
      }
    },
    async request => {
      // If the session can't be read, answer as for a visitor without a login.
      const session = await app.authenticate(request).catch(() => undefined)
      return quoteCart(app, request.body.lines, session?.user._id)
    }
  )

  await app.register(userCartRoutes)
}

const userCartRoutes: FastifyPluginAsyncZod = async app => {
  app.addHook('onRequest', requireUser)

  app.get('/cart', { schema: { tags, summary: 'Get the saved cart', response: { 200: ServerCart } } }, request =>
    readCart(app, sessionOf(request).user._id)
  )

  app.put(
    '/cart',
    {
      schema: {
        tags,
        summary: 'Replace the cart if its version is unchanged',
        body: CartChange,
        response: { 200: ServerCart }
      }
    },
    request => changeCart(app, sessionOf(request).user._id, request.body)
  )

  app.delete('/cart', { schema: { tags, summary: 'Empty the cart', response: { 200: ServerCart } } }, request =>
    clearCart(app, sessionOf(request).user._id)
  )
}
