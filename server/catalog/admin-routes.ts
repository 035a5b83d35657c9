import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ADMIN_MESSAGES, deletedText } from '#lib/admin/messages.ts'
import { IMPORT_LIMITS, MAX_PICTURE_BYTES } from '#lib/constants.ts'
import {
  AdminProduct,
  ImportReport,
  ImportRequest,
  KitchenProduct,
  PictureQuery,
  ProductChange,
  ProductDraft,
  ProductRemoval,
  SizeOrder,
  StockChange
} from '#lib/contract/catalog.ts'
import {
  AdminCollection,
  CollectionChange,
  CollectionDraft,
  CollectionOrder
} from '#lib/contract/collections.ts'
import { LabelFacts } from '#lib/contract/kitchen.ts'
import { IdPath, Picture, RemovalQuery } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { toRupees } from '#lib/money.ts'
import { recordRoutes, removalRoute, toEditor } from '../accounts/records.ts'
import type { Db } from '../platform/db/tables.ts'
import { route } from '../platform/http/validate.ts'
import { isoNow } from '#lib/time.ts'
import { readSections } from '../settings/settings.ts'
import { products } from './change-product.ts'
import {
  collections,
  createCollection,
  listAllCollections,
  orderCollections
} from './collections.ts'
import { importProducts } from './import-products.ts'
import { savePicture } from './pictures.ts'
import { writeTable } from './product-table.ts'
import { changeProduct, createProduct, orderSizes, removeProduct } from './products.ts'
import { listAllProducts } from './read-products.ts'
import * as z from 'zod/mini'

const texts = { pictureMissing: 'No picture received. Please choose one.' }

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

export const pictureRoutes: FastifyPluginAsyncZod = async app => {
  // Only for these routes: forms on other websites can't post to the rest of the API (CSRF).
  await app.register(multipart, {
    limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 5, headerPairs: 50 }
  })

  app.post(
    '/pictures',
    {
      schema: {
        summary: 'Upload a picture: JPEG, PNG, WebP or AVIF, at most 10 MB and 24 megapixels',
        querystring: PictureQuery,
        response: { 201: Picture }
      }
    },
    async (request, reply) => {
      const stored = await app.images.store(await readUpload(request), request.query.name ?? '')
      const picture = await app.write(trx => savePicture(trx, { ...stored, alt: '' }))
      return reply.code(201).send(picture)
    }
  )
}

async function readUpload(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart())
    throw new ShopError('UNSUPPORTED_MEDIA_TYPE', { message: texts.pictureMissing })
  const file = await request.file().catch(throwMalformed)
  if (!file) throw new ShopError('INVALID_INPUT', { message: texts.pictureMissing })
  try {
    return await file.toBuffer()
  } catch (cause) {
    if (!file.file.truncated) throwMalformed(cause)
    throw new ShopError('BODY_TOO_LARGE', { message: ADMIN_MESSAGES.pictureTooLarge, cause })
  }
}

/** Errors of the multipart parser have a status, but errors of its tokenizer have none. */
function throwMalformed(cause: unknown): never {
  if (cause instanceof Error && 'statusCode' in cause) throw cause
  throw new ShopError('MALFORMED_REQUEST', { cause })
}

/** Hidden products have labels too, because they can still be in orders. */
async function readLabelFacts(db: Db): Promise<LabelFacts> {
  const { shop, legal } = await readSections(db, ['shop', 'legal'])
  const rows = await db
    .selectFrom('products')
    .select([
      'id',
      'name',
      'name_tamil as nameTamil',
      'dietary',
      'ingredients',
      'allergens',
      'nutrition'
    ])
    .select(['pack_value', 'pack_unit', 'pack_type', 'price', 'shelf_life_days as shelfLifeDays'])
    .orderBy('name')
    .orderBy('family_position')
    .orderBy('id')
    .execute()
  const { name, legalName, address, phone, email } = shop
  return {
    maker: { name, legalName, address, phone, email, fssai: legal.fssai },
    products: rows.map(
      ({ ingredients, pack_value: value, pack_unit: unit, pack_type: type, price, ...row }) => ({
        ...row,
        ingredients: JSON.parse(ingredients) as string[],
        quantity: { value, unit, type },
        mrp: toRupees(price)
      })
    )
  }
}

export const collectionRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/collections',
    route('List all collections, including hidden ones', z.array(AdminCollection)),
    () => listAllCollections(app.database.kysely)
  )

  recordRoutes(app, {
    noun: 'collection',
    records: collections,
    item: AdminCollection,
    draft: CollectionDraft,
    change: CollectionChange,
    create: (editor, draft) => createCollection(app, editor, draft)
  })
  removalRoute(app, 'collection', async (editor, id, version) => {
    const { name } = await collections.remove(app, editor, id, version)
    return deletedText(name)
  })

  app.put(
    '/collections/order',
    route('Change the order of the collections', z.array(AdminCollection), {
      body: CollectionOrder
    }),
    request => orderCollections(app, toEditor(request), request.body)
  )
}
