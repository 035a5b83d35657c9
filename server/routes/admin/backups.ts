import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { BackupMade, BackupState } from '#lib/contract/admin/backups.ts'
import { ShopError } from '#lib/errors.ts'
import { offerBackup } from '../../backups/download-backup.ts'
import { createDownloads } from '../../backups/downloads.ts'
import { environment } from '../../config.ts'
import { signedIn } from '../../plugins/session.ts'
import { LAST_BACKUP, readCounter } from '../../queries/counters.ts'
import { slugOf } from '../../slug.ts'

export const backupRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['admin']
  const closing = new AbortController()
  const { config, write, clock, shop } = app
  const downloads = createDownloads(config.dataDir, clock)
  const deps = { config, write, clock, downloads, shop: slugOf(shop.name, 'shop'), env: environment() }
  let making = false

  app.addHook('preClose', async () => closing.abort())

  app.get(
    '/backups',
    { schema: { tags, summary: 'When the newest backup was made', response: { 200: BackupState } } },
    async () => {
      const at = await readCounter(app.database.kysely, LAST_BACKUP)
      return { lastAt: at === 0 ? null : new Date(at).toISOString() }
    }
  )

  app.post(
    '/backups',
    {
      schema: {
        tags,
        summary: 'Makes a backup of database and pictures, to be fetched once by its ticket',
        response: { 201: BackupMade }
      }
    },
    async (request, reply) => {
      if (making) throw new ShopError('BACKUP_UNDER_WAY')
      making = true
      try {
        return await reply.code(201).send(await offerBackup(deps, signedIn(request).user, closing.signal))
      } finally {
        making = false
      }
    }
  )
}
