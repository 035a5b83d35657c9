import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import {
  AdminProduct,
  ProductChange,
  ProductDraft,
  ProductRemoval,
  RemovalQuery
} from '#lib/contract/admin/products.ts'
import { ProductPath } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { changeProduct } from './change-product.ts'
import { createProduct } from './create-product.ts'
import { removeProduct } from './remove-product.ts'
import { sessionOf } from '../accounts/session.ts'
import { findAnyProduct, listAllProducts } from './admin-queries.ts'

const tags = ['admin']

export const productRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/products',
    {
      schema: {
        tags,
        summary: 'List all products by name, including hidden ones',
        response: { 200: z.array(AdminProduct) }
      }
    },
    () => listAllProducts(app.database.kysely)
  )

  app.get(
    '/products/:id',
    { schema: { tags, summary: 'Get a product', params: ProductPath, response: { 200: AdminProduct } } },
    async ({ params }) => {
      const product = await findAnyProduct(app.database.kysely, params.id)
      if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
      return product
    }
  )

  app.post(
    '/products',
    {
      schema: {
        tags,
        summary: 'Create a product (idempotent by key)',
        body: ProductDraft,
        response: { 200: AdminProduct, 201: AdminProduct }
      }
    },
    async (request, reply) => {
      const { product, isNew } = await createProduct(app, sessionOf(request).user, request.body)
      return reply.code(isNew ? 201 : 200).send(product)
    }
  )

  app.patch(
    '/products/:id',
    {
      schema: {
        tags,
        summary: 'Change the given fields of a product',
        params: ProductPath,
        body: ProductChange,
        response: { 200: AdminProduct }
      }
    },
    request => changeProduct(app, sessionOf(request).user, request.params.id, request.body)
  )

  app.delete(
    '/products/:id',
    {
      schema: {
        tags,
        summary: 'Delete a product, or hide it if orders or deals use it',
        params: ProductPath,
        querystring: RemovalQuery,
        response: { 200: ProductRemoval }
      }
    },
    request => removeProduct(app, sessionOf(request).user, request.params.id, Number(request.query.version))
  )
}
