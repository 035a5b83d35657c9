import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { ShopError } from '#lib/errors.ts'
import { DOWNLOAD_LIFETIME } from '#lib/time.ts'
import { createDownloads, TICKET_PATTERN } from './downloads.ts'
import { archiveName } from './options.ts'
import { toSlug } from '../catalog/slug.ts'

/** A browser download can't send the session token, so a one-time ticket in the URL authorises the download. */
export const backupDownload: FastifyPluginAsyncZod = async app => {
  const downloads = createDownloads(app.config.dataDir, app.clock)
  const shop = toSlug(app.shop.name, 'shop')

  app.get(
    '/backups/:ticket',
    {
      // A HEAD request must not use up the ticket.
      exposeHeadRoute: false,
      schema: {
        tags: ['admin'],
        summary: `Download a new backup once, within ${DOWNLOAD_LIFETIME / 60_000} minutes`,
        params: z.object({ ticket: z.string().check(z.regex(TICKET_PATTERN)) })
      }
    },
    async ({ params }, reply) => {
      const file = await downloads.redeem(params.ticket)
      if (!file) throw new ShopError('BACKUP_GONE')
      const { size, mtimeMs } = await file.stat()
      return reply
        .type('application/gzip')
        .header('content-length', size)
        .header('content-disposition', `attachment; filename="${archiveName(shop, mtimeMs)}"`)
        .header('cache-control', 'no-store')
        .send(file.createReadStream())
    }
  )
}
