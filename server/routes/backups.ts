import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { ShopError } from '#lib/errors.ts'
import { DOWNLOAD_LIFE } from '#lib/time.ts'
import { createDownloads, TICKET } from '../backups/downloads.ts'
import { archiveName } from '../backups/options.ts'
import { slugOf } from '../slug.ts'

/**
 * Hands a backup to the browser itself, which writes it to the disk as it comes: it can't send the token that other calls
 * carry, so it brings the ticket that an administrator was given a moment ago.
 */
export const backupDownload: FastifyPluginAsyncZod = async app => {
  const downloads = createDownloads(app.config.dataDir, app.clock)
  const shop = slugOf(app.shop.name, 'shop')

  app.get(
    '/backups/:ticket',
    {
      // A program that only looks must not use the ticket up.
      exposeHeadRoute: false,
      schema: {
        tags: ['admin'],
        summary: `Fetches a backup that was made just now, once, within ${DOWNLOAD_LIFE / 60_000} minutes`,
        params: z.object({ ticket: z.string().check(z.regex(TICKET)) })
      }
    },
    async ({ params }, reply) => {
      const file = await downloads.take(params.ticket)
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
