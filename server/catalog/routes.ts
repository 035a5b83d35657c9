import formbody from '@fastify/formbody'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { Done } from '#lib/contract/accounts.ts'
import {
  LiveCatalog,
  LiveQuery,
  Product,
  SitePicture,
  StopQuery,
  type LiveProduct
} from '#lib/contract/catalog.ts'
import { Collection } from '#lib/contract/collections.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { LIVE_CATALOG_MAX_AGE, SECOND } from '#lib/time.ts'
import { requireUser, sessionOf } from '../accounts/sessions.ts'
import { prepareReply, sendPrepared } from '../platform/http/content-negotiation.ts'
import { route } from '../platform/http/validate.ts'
import { askForAlert, stopAlerts } from './stock-alerts.ts'

const texts = {
  stockAlertAsked: 'We’ll email you once it’s back in stock.',
  stockAlertsStopped: 'You’ll get no more of these emails.'
}

const LIVE = `public, max-age=${LIVE_CATALOG_MAX_AGE / SECOND}`

export const catalogRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/products', route('List all products by name', z.array(Product)), (request, reply) =>
    app.publicReplies.send({ request, reply }, 'products', data => data.products())
  )

  app.get(
    '/products/:id',
    route('Get a product', Product, { params: IdPath }),
    (request, reply) => {
      const { id } = request.params
      return app.publicReplies.send({ request, reply }, `products/${id}`, async data => {
        const product = (await data.productById()).get(id)
        if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
        return product
      })
    }
  )

  app.get(
    '/collections',
    route('List collections of products', z.array(Collection)),
    (request, reply) =>
      app.publicReplies.send({ request, reply }, 'collections', data => data.collections())
  )

  app.get(
    '/catalog/live',
    route('Get current price, stock and deal of all or the given products', LiveCatalog, {
      querystring: LiveQuery
    }),
    async (request, reply) => {
      const { ids } = request.query
      if (ids === undefined) {
        return app.publicReplies.send(
          { request, reply },
          'live',
          async data => ({ products: await data.liveProducts() }),
          LIVE
        )
      }
      const data = await app.publicReplies.get()
      const products = filterByIds(await data.liveProducts(), ids)
      await sendPrepared(prepareReply({ products }, LIVE), request, reply)
      return reply
    }
  )

  app.get(
    '/pictures',
    route('List the named pictures of the website', z.array(SitePicture)),
    (request, reply) =>
      app.publicReplies.send({ request, reply }, 'pictures', data => data.pictures())
  )
}

export const alertRoutes: FastifyPluginAsyncZod = async app => {
  app.post(
    '/products/:id/stock-alert',
    {
      onRequest: requireUser,
      ...route('Ask for an email when a product is in stock again', Done, { params: IdPath })
    },
    async request => {
      await askForAlert(app, sessionOf(request).user, request.params.id)
      return { message: texts.stockAlertAsked }
    }
  )

  await app.register(stopRoute)
}

const stopRoute: FastifyPluginAsyncZod = async app => {
  // Mail programs send a form (RFC 8058).
  await app.register(formbody)

  app.post(
    '/stock-alerts/stop',
    route('Stop emails about products in stock, with the token from an email', Done, {
      querystring: StopQuery
    }),
    async request => {
      await stopAlerts(app, request.query.token)
      return { message: texts.stockAlertsStopped }
    }
  )
}

function filterByIds(products: readonly LiveProduct[], ids: string): LiveProduct[] {
  const wanted = new Set(ids.split(',').map(id => id.trim()))
  return products.filter(({ id }) => wanted.has(id))
}
