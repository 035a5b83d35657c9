import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { CartChange, Quote, QuoteRequest, ServerCart } from '#lib/contract/cart.ts'
import { changeCart, clearCart, readCart } from '../actions/checkout/carts.ts'
import { quoteCart } from '../actions/checkout/quote-cart.ts'
import { requireUser, signedIn } from '../plugins/session.ts'

const tags = ['cart']

export const cartRoutes: FastifyPluginAsyncZod = async app => {
  app.post(
    '/cart/quote',
    {
      schema: {
        tags,
        summary: 'What a cart costs now; with a token, with the discounts that the shopper has drawn',
        body: QuoteRequest,
        response: { 200: Quote }
      }
    },
    async request => {
      // Who can't be recognised is told what everybody is told.
      const asks = await app.whoAsks(request).catch(() => undefined)
      return quoteCart(app, request.body.lines, asks?.user._id)
    }
  )

  await app.register(ownCart)
}

const ownCart: FastifyPluginAsyncZod = async app => {
  app.addHook('onRequest', requireUser)

  app.get(
    '/cart',
    { schema: { tags, summary: 'The cart that the shop keeps for the shopper', response: { 200: ServerCart } } },
    request => readCart(app, signedIn(request).user._id)
  )

  app.put(
    '/cart',
    {
      schema: {
        tags,
        summary: 'Replaces the cart, if it is still of the version that was read',
        body: CartChange,
        response: { 200: ServerCart }
      }
    },
    request => changeCart(app, signedIn(request).user._id, request.body)
  )

  app.delete('/cart', { schema: { tags, summary: 'Empties the cart', response: { 200: ServerCart } } }, request =>
    clearCart(app, signedIn(request).user._id)
  )
}
