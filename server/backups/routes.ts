import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { createHash, randomBytes } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { User } from '#lib/contract/accounts.ts'
import { BackupState, CreatedBackup } from '#lib/contract/admin.ts'
import { ShopError } from '#lib/errors.ts'
import { DOWNLOAD_LIFETIME, MINUTE, isoNow, toIso } from '#lib/time.ts'
import { record } from '../accounts/audit.ts'
import { requireRecentVerification, sessionOf } from '../accounts/sessions.ts'
import { LAST_BACKUP, raiseCounterTo, readCounter } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import { route } from '../platform/http/validate.ts'
import { deleteEndedLeases, hasLease, takeLease } from '../platform/process/jobs.ts'
import { createWorkQueue } from '../platform/process/work-queue.ts'
import { createWorkerProcess } from '../platform/process/worker-process.ts'
import { deleteOldFiles, ignoreMissing } from '../platform/storage/files.ts'
import { archiveName } from './archive.ts'
import type { BackupResult, BackupTask } from './make-backup.ts'

const MAX_WAITING = 3
const BACKUP_PROCESS = fileURLToPath(new URL('make-backup.ts', import.meta.url))
const TICKET_PREFIX = 'download '
const TICKET_PATTERN = /^[A-Za-z0-9_-]{43}$/
const DOWNLOADS_FOLDER = 'downloads'

export const backupRoutes: FastifyPluginAsyncZod = async app => {
  const makeArchive = createArchiver(app)

  app.get('/admin/backups', route('Get the time of the last backup', BackupState), async () => {
    const lastBackupAt = await readCounter(app.database.kysely, LAST_BACKUP)
    return { lastAt: lastBackupAt === 0 ? null : toIso(lastBackupAt) }
  })

  app.post(
    '/admin/backups',
    {
      schema: {
        summary: 'Create a backup of database and pictures and return a download ticket',
        response: { 201: CreatedBackup }
      }
    },
    async (request, reply) => {
      requireRecentVerification(request)
      const { user } = sessionOf(request)
      return reply.code(201).send(await createDownload(app, makeArchive, user))
    }
  )

  // A browser download can't send the session token, so the URL has a ticket. A browser may ask
  // several times, to check the link or to go on after a lost connection.
  app.get(
    '/backups/:ticket',
    {
      schema: {
        summary: `Download a new backup within ${DOWNLOAD_LIFETIME / MINUTE} minutes`,
        params: z.object({ ticket: z.string().check(z.regex(TICKET_PATTERN)) })
      }
    },
    async ({ params }, reply) => {
      const lease = TICKET_PREFIX + hashTicket(params.ticket)
      const isValid = await hasLease(app.database.kysely, lease)
      const file = isValid && (await openArchive(app, params.ticket, makeArchive))
      if (!file) throw new ShopError('BACKUP_GONE')
      const { size, mtimeMs } = await file.stat()
      return reply
        .type('application/gzip')
        .header('content-length', size)
        .header('content-disposition', `attachment; filename="${archiveName(mtimeMs)}"`)
        .header('cache-control', 'no-store')
        .send(file.createReadStream())
    }
  )
}

type MakeArchive = (owner: string, ticket: string) => Promise<BackupResult>

function createArchiver(app: FastifyInstance): MakeArchive {
  const closing = new AbortController()
  const worker = createWorkerProcess<BackupTask, BackupResult>(BACKUP_PROCESS, {
    idleTimeout: () => 0
  })
  // Backups run one at a time, because each one reads all pictures.
  const queue = createWorkQueue({ concurrency: 1, maxWaiting: MAX_WAITING })
  app.addHook('preClose', async () => closing.abort())
  const { databaseUrl, dataDir, storage } = app.config

  return (owner, ticket) =>
    queue.run(owner, async () => {
      const task = { databaseUrl, dataDir, storage, file: archiveFile(dataDir, ticket) }
      const result = await worker.run(task, { signal: closing.signal }).catch((cause: unknown) => {
        throw new ShopError('BACKUP_FAILED', { cause })
      })
      const { missingPictures } = result
      if (missingPictures.length > 0)
        app.log.warn({ missingPictures }, 'The backup lacks pictures whose files are missing')
      return result
    })
}

async function createDownload(
  { write, clock }: FastifyInstance,
  makeArchive: MakeArchive,
  actor: User
): Promise<CreatedBackup> {
  const ticket = randomBytes(32).toString('base64url')
  const { size, createdAt } = await makeArchive(actor._id, ticket)
  await write(async trx => {
    await takeLease(trx, TICKET_PREFIX + hashTicket(ticket), actor._id, DOWNLOAD_LIFETIME)
    await raiseCounterTo(trx, LAST_BACKUP, Date.parse(createdAt))
    // The archive contains all personal data.
    const at = isoNow(clock)
    await record(trx, { actor, at, kind: 'user', id: actor._id, action: 'backed up' })
  })
  return { ticket, name: archiveName(Date.parse(createdAt)), size, createdAt }
}

/** The clean-up may delete the file while it is read. */
async function openArchive(
  { config: { dataDir }, objects }: FastifyInstance,
  ticket: string,
  makeArchive: MakeArchive
): Promise<FileHandle | undefined> {
  const file = archiveFile(dataDir, ticket)
  const handle = await open(file).catch(ignoreMissing)
  if (handle || !objects) return handle
  // The archive of another node is out of reach, so this node makes its own.
  await makeArchive('download', ticket)
  return open(file)
}

export async function deleteEndedTickets(trx: Trx): Promise<void> {
  await deleteEndedLeases(trx, TICKET_PREFIX)
}

export function deleteExpiredDownloads(dataDir: string): Promise<void> {
  return deleteOldFiles(join(dataDir, DOWNLOADS_FOLDER), { prefix: '', age: DOWNLOAD_LIFETIME })
}

function archiveFile(dataDir: string, ticket: string) {
  return join(dataDir, DOWNLOADS_FOLDER, `${hashTicket(ticket)}.tar.gz`)
}

function hashTicket(ticket: string) {
  return createHash('sha256').update(ticket).digest('hex')
}
