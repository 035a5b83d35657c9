import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { formatDayAndTime, SECOND } from '#lib/time.ts'
import { formatCounts } from '../backups/archive.ts'
import { restoreBackup } from '../backups/restore.ts'
import { readConfig, readEnvironment, toLocalApiUrl, type Config } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { runCommand } from '../platform/process/command.ts'
import { armFailpoint } from '../platform/process/failpoints.ts'
import { prepareDataFolder } from '../platform/storage/files.ts'
import { openObjectStore } from '../platform/storage/open-store.ts'

const HEALTH_TIMEOUT = 5 * SECOND

const HELP = `Restores an archive into SQLite or PostgreSQL. Stop the shop first.

  npm run restore -- ARCHIVE [options]

  --force  replace all data if the database is not empty
  --live   this becomes the live shop: payments and mails work at once, without a confirmation`

await runCommand('Restore failed', restore)

async function restore() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean' }, force: { type: 'boolean' }, live: { type: 'boolean' } }
  })
  const { help, force = false, live } = values
  if (help) return console.log(HELP)
  const [archive, ...others] = positionals
  if (archive === undefined || others.length > 0)
    throw new Error(
      'Specify one archive, for example ' +
        'npm run restore -- data/backups/palagaram-2026-11-21T04-00-00Z.tar.gz'
    )
  const env = readEnvironment()
  const config = readConfig(env)
  armFailpoint(env['FAILPOINT'])
  await expectStopped(config)
  await prepareDataFolder(config.dataDir)
  const database = connect(config)
  try {
    const siteUrl = live ? config.siteUrl : null
    const objects = config.storage && openObjectStore(config.storage)
    const file = resolve(archive)
    const task = { file, force, database, dataDir: config.dataDir, siteUrl, objects }
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
async function expectStopped(config: Config) {
  const address = `${toLocalApiUrl(config)}/health`
  const reply = await fetch(address, { signal: AbortSignal.timeout(HEALTH_TIMEOUT) }).catch(
    () => undefined
  )
  if (reply) throw new Error(`the shop is running (${address} answers); stop it first`)
}
