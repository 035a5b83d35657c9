import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { formatDayAndTime, SECOND } from '#lib/time.ts'
import { formatCounts, readRestoreOptions, RESTORE_HELP } from '../backups/options.ts'
import { restoreBackup } from '../backups/restore.ts'
import { readConfig, readEnvironment, toLocalApiUrl, type Config } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { runCommand } from '../platform/process/command.ts'
import { armFailpoint } from '../platform/process/failpoints.ts'
import { prepareDataFolder } from '../platform/storage/files.ts'
import { openObjectStore } from '../platform/storage/open-store.ts'

const HEALTH_TIMEOUT = 5 * SECOND

await runCommand('Restore failed', () => restore(process.argv.slice(2)))

async function restore(args: readonly string[]): Promise<void> {
  const { help, live, ...options } = readRestoreOptions(args)
  if (help) return console.log(RESTORE_HELP)
  const env = readEnvironment()
  const config = readConfig(env)
  armFailpoint(env['FAILPOINT'])
  await expectStopped(config)
  await prepareDataFolder(config.dataDir)
  const database = connect(config)
  try {
    const siteUrl = live ? config.siteUrl : null
    const objects = config.storage && openObjectStore(config.storage)
    const task = { ...options, database, dataDir: config.dataDir, siteUrl, objects }
    const { manifest, unsent } = await restoreBackup(task, Date.now)
    console.log(
      `Restored ${formatCounts(manifest.rows)} as of ${formatDayAndTime(manifest.createdAt)}`
    )
    if (unsent > 0)
      console.log(
        `Mails not sent: ${unsent}. The shop may have sent them after the backup was made.`
      )
    console.log(
      'Start the shop now: it publishes the website and fetches newer payments from the provider'
    )
    if (!live) console.log(ADMIN_MESSAGES.notLive)
  } finally {
    await database.close()
  }
}

/** A running process would keep outdated data in memory. */
async function expectStopped(config: Config): Promise<void> {
  const address = `${toLocalApiUrl(config)}/health`
  const reply = await fetch(address, { signal: AbortSignal.timeout(HEALTH_TIMEOUT) }).catch(
    () => undefined
  )
  if (reply) throw new Error(`the shop is running (${address} answers); stop it first`)
}
