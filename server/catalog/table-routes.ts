import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { IMPORT_LIMITS } from '#lib/admin/limits.ts'
import { ImportReport, ImportRequest } from '#lib/contract/admin/products.ts'
import { importProducts } from './import-products.ts'
import { writeTable } from './write-table.ts'
import { isoNow } from '../platform/process/clock.ts'
import { sessionOf } from '../accounts/session.ts'
import { listAllProducts } from './admin-queries.ts'

/** A character takes at most 4 bytes in UTF-8. */
const MAX_BODY_BYTES = IMPORT_LIMITS.characters * 4

export const productTableRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['admin']

  app.get('/products/export', { schema: { tags, summary: 'Export all products as CSV' } }, async (_request, reply) => {
    const table = writeTable(await listAllProducts(app.database.kysely))
    const name = `products-${isoNow(app.clock).slice(0, 10)}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(table)
  })

  app.post(
    '/products/import',
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        tags,
        summary: 'Preview a CSV import, or apply the import whose preview returned `basis`',
        body: ImportRequest,
        response: { 200: ImportReport }
      }
    },
    request => importProducts(app, sessionOf(request).user, request.body)
  )
}
