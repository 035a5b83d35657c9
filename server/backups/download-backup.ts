import { fileURLToPath } from 'node:url'
import type { User } from '#lib/contract/accounts.ts'
import type { CreatedBackup } from '#lib/contract/admin/backups.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow, type Clock } from '../platform/process/clock.ts'
import { ROOT, type Config, type Environment } from '../config.ts'
import type { Write } from '../platform/db/write.ts'
import { runNode } from '../platform/process/child-process.ts'
import { record } from '../accounts/audit.ts'
import { LAST_BACKUP, raiseCounterTo } from '../platform/db/counters.ts'
import type { Downloads } from './downloads.ts'
import type { BackupTask, BackupResult } from './make-backup.ts'
import { archiveName } from './options.ts'

interface DownloadDeps {
  config: Pick<Config, 'databaseUrl' | 'dataDir'>
  write: Write
  clock: Clock
  downloads: Downloads
  shop: string
  env: Environment
}

const BACKUP_PROCESS = fileURLToPath(new URL('backup-process.ts', import.meta.url))

export async function createBackupDownload(
  { config: { databaseUrl, dataDir }, write, clock, downloads, shop, env }: DownloadDeps,
  actor: User,
  signal: AbortSignal
): Promise<CreatedBackup> {
  const { ticket, file } = await downloads.create()
  const input = JSON.stringify({ databaseUrl, dataDir, file } satisfies BackupTask)
  const { exit, output } = await runNode(['--import', 'tsx', BACKUP_PROCESS], { cwd: ROOT, env, signal, input })
  const last = output.split('\n').at(-1) ?? ''
  if (exit !== '0') throw new ShopError('BACKUP_FAILED', { cause: new Error(last || exit) })
  const { size } = JSON.parse(last) as BackupResult
  const now = clock()
  await write(async trx => {
    await raiseCounterTo(trx, LAST_BACKUP, now)
    // The audit log records each download, because the archive contains all personal data.
    await record(trx, { actor, at: isoNow(clock), kind: 'user', id: actor._id, action: 'backed up' })
  })
  return { ticket, name: archiveName(shop, now), size, createdAt: new Date(now).toISOString() }
}
