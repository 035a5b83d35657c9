import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { IMPORT_LIMITS } from '#lib/constants.ts'
import {
  AdminProduct,
  ImportReport,
  ImportRequest,
  KitchenProduct,
  LiveCatalog,
  LiveQuery,
  Product,
  ProductChange,
  ProductDraft,
  ProductRemoval,
  SitePicture,
  SizeOrder,
  StockChange
} from '#lib/contract/catalog.ts'
import { Collection } from '#lib/contract/collections.ts'
import { LabelFacts } from '#lib/contract/kitchen.ts'
import { IdPath, RemovalQuery } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { LIVE_CATALOG_MAX_AGE, SECOND, isoNow } from '#lib/time.ts'
import { recordRoutes, toEditor } from '../accounts/records.ts'
import type { Db } from '../platform/db/tables.ts'
import { prepareReply, sendPrepared } from '../platform/http/content-negotiation.ts'
import { route } from '../platform/http/validate.ts'
import { readSections } from '../settings/settings.ts'
import { importProducts } from './import-products.ts'
import { writeTable } from './product-table.ts'
import { changeProduct, createProduct, orderSizes, products, removeProduct } from './products.ts'
import { listAllProducts } from './read-products.ts'

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
          { cacheControl: LIVE, isPlain: true }
        )
      }
      const wanted = new Set(ids.split(',').map(id => id.trim()))
      const live = await (await app.publicReplies.get()).liveProducts()
      const found = { products: live.filter(({ id }) => wanted.has(id)) }
      await sendPrepared(prepareReply(found, LIVE), request, reply)
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

/** A character takes at most 4 bytes in UTF-8. */
const MAX_IMPORT_BYTES = IMPORT_LIMITS.characters * 4

export const productRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/products',
    route('List all products by name, including hidden ones', z.array(AdminProduct)),
    () => listAllProducts(app.database.kysely)
  )

  recordRoutes(app, {
    noun: 'product',
    records: products,
    item: AdminProduct,
    draft: ProductDraft,
    change: ProductChange,
    create: (editor, draft) => createProduct(app, editor, draft),
    edit: (editor, id, change) => changeProduct(app, editor, id, change)
  })

  app.delete(
    '/products/:id',
    route('Delete a product, or hide it if orders or deals use it', ProductRemoval, {
      params: IdPath,
      querystring: RemovalQuery
    }),
    request =>
      removeProduct(app, toEditor(request), request.params.id, Number(request.query.version))
  )

  app.put(
    '/products/:id/sizes',
    route('Change the order of a product’s pack sizes', z.array(AdminProduct), {
      params: IdPath,
      body: SizeOrder
    }),
    request => orderSizes(app, toEditor(request), request.params.id, request.body)
  )

  app.get(
    '/products/export',
    { schema: { summary: 'Export all products as CSV' } },
    async (_request, reply) => {
      const table = writeTable(await listAllProducts(app.database.kysely))
      const name = `products-${isoNow(app.clock).slice(0, 10)}.csv`
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(table)
    }
  )

  app.post(
    '/products/import',
    {
      bodyLimit: MAX_IMPORT_BYTES,
      ...route(
        'Preview a CSV import, or apply the import whose preview returned `basis`',
        ImportReport,
        {
          body: ImportRequest
        }
      )
    },
    request => importProducts(app, toEditor(request), request.body)
  )

  app.get('/kitchen/labels', route('Get what the labels of packs show', LabelFacts), () =>
    readLabelFacts(app.database.kysely)
  )

  app.get(
    '/kitchen/products',
    route('List all products with their stock, without prices', z.array(KitchenProduct)),
    async () =>
      (await listAllProducts(app.database.kysely)).map(product => KitchenProduct.parse(product))
  )

  app.post(
    '/kitchen/products/:id/stock',
    route('Change the stock of a product', KitchenProduct, { params: IdPath, body: StockChange }),
    async request => {
      const change = { stock: request.body }
      return KitchenProduct.parse(
        await changeProduct(app, toEditor(request), request.params.id, change)
      )
    }
  )
}

/** Hidden products have labels too, because they can still be in orders. */
async function readLabelFacts(db: Db): Promise<LabelFacts> {
  const { shop, legal } = await readSections(db, ['shop', 'legal'])
  const all = await listAllProducts(db)
  return LabelFacts.parse({
    maker: { ...shop, fssai: legal.fssai },
    products: all.map(product => ({
      allergens: '',
      nutrition: '',
      ...product,
      mrp: product.price
    }))
  })
}
