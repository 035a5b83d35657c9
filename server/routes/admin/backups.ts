import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { BackupMade, BackupState } from '#lib/contract/admin/backups.ts'
import { offerBackup } from '../../backups/download-backup.ts'
import { createDownloads } from '../../backups/downloads.ts'
import { environment } from '../../config.ts'
import { createWorkQueue } from '../../gateways/work-queue.ts'
import { signedIn } from '../../plugins/session.ts'
import { LAST_BACKUP, readCounter } from '../../queries/counters.ts'
import { slugOf } from '../../slug.ts'

const MOST_WAITING = 3

export const backupRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['admin']
  const closing = new AbortController()
  const { config, write, clock, shop } = app
  const downloads = createDownloads(config.dataDir, clock)
  const deps = { config, write, clock, downloads, shop: slugOf(shop.name, 'shop'), env: environment() }
  // Each reads every picture: one after the other.
  const queue = createWorkQueue({ atOnce: 1, mostWaiting: MOST_WAITING })

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
      const { user } = signedIn(request)
      return reply.code(201).send(await queue.run(() => offerBackup(deps, user, closing.signal)))
    }
  )
}
