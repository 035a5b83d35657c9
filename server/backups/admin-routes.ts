import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { CreatedBackup, BackupState } from '#lib/contract/admin/backups.ts'
import { createBackupDownload } from './download-backup.ts'
import { createDownloads } from './downloads.ts'
import { readEnvironment } from '../config.ts'
import { createWorkQueue } from '../platform/process/work-queue.ts'
import { sessionOf } from '../accounts/session.ts'
import { LAST_BACKUP, readCounter } from '../platform/db/counters.ts'
import { toSlug } from '../catalog/slug.ts'

const MAX_WAITING = 3

export const backupRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['admin']
  const closing = new AbortController()
  const { config, write, clock, shop } = app
  const downloads = createDownloads(config.dataDir, clock)
  const deps = { config, write, clock, downloads, shop: toSlug(shop.name, 'shop'), env: readEnvironment() }
  // Backups run one at a time, because each one reads all pictures.
  const queue = createWorkQueue({ concurrency: 1, maxWaiting: MAX_WAITING })

  app.addHook('preClose', async () => closing.abort())

  app.get(
    '/backups',
    { schema: { tags, summary: 'Get the time of the last backup', response: { 200: BackupState } } },
    async () => {
      const lastBackupAt = await readCounter(app.database.kysely, LAST_BACKUP)
      return { lastAt: lastBackupAt === 0 ? null : new Date(lastBackupAt).toISOString() }
    }
  )

  app.post(
    '/backups',
    {
      schema: {
        tags,
        summary: 'Create a backup of database and pictures and return a download ticket',
        response: { 201: CreatedBackup }
      }
    },
    async (request, reply) => {
      const { user } = sessionOf(request)
      return reply.code(201).send(await queue.run(() => createBackupDownload(deps, user, closing.signal)))
    }
  )
}
