import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { archiveName } from '../backups/archive.ts'
import { makeBackup, type BackupResult } from '../backups/make-backup.ts'
import {
  BACKUP_HELP,
  findSurplusArchives,
  formatCounts,
  readBackupOptions
} from '../backups/options.ts'
import { readConfig, readEnvironment } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { LAST_BACKUP, raiseCounterTo } from '../platform/db/counters.ts'
import { createWrite } from '../platform/db/write.ts'
import { runCommand } from '../platform/process/command.ts'

await runCommand('Backup failed', () => backUp(process.argv.slice(2)))

async function backUp(args: readonly string[]): Promise<void> {
  const config = readConfig(readEnvironment())
  const { help, folder, file, keep } = readBackupOptions(
    args,
    config.dataDir,
    archiveName(Date.now())
  )
  if (help) return console.log(BACKUP_HELP)
  if (await stat(file).catch(() => undefined)) throw new Error(`${file} already exists`)
  await stat(config.dataDir).catch(cause => {
    throw new Error(`DATA_DIR ${config.dataDir} does not exist`, { cause })
  })
  const backup = await makeBackup({ ...config, file }, Date.now)
  const database = connect(config)
  await createWrite(database)(trx => raiseCounterTo(trx, LAST_BACKUP, Date.parse(backup.createdAt)))
  await database.close()
  console.log(`${file}: ${formatSummary(backup)}`)
  const { length, 0: example } = backup.missingPictures
  if (length > 0)
    console.error(`Warning: picture files are missing (${length}), for example ${example}`)
  if (keep !== undefined) {
    for (const old of findSurplusArchives(await readdir(folder), file, keep))
      await rm(join(folder, old))
  }
}

function formatSummary({ rows, pictures, size }: BackupResult): string {
  return `${formatCounts(rows)}, ${pictures} pictures, ${(size / 1e6).toFixed(1)} MB`
}
