import { formatDayAndTime, SECOND } from '#lib/time.ts'
import { readRestoreOptions, RESTORE_HELP } from './backups/options.ts'
import { restoreBackup } from './backups/restore-backup.ts'
import { systemClock } from './clock.ts'
import { environment, localApi, readConfig, type Config } from './config.ts'
import { prepareDataFolder } from './data-folder.ts'
import { connect } from './db/connect.ts'
import { armFailpoint } from './failpoints.ts'
import { oneLine } from './progress.ts'

const HEALTH_TIMEOUT = 5 * SECOND

try {
  await restore(process.argv.slice(2))
} catch (error) {
  console.error(`Nothing was restored: ${oneLine(error)}`)
  process.exitCode = 1
}

async function restore(args: readonly string[]): Promise<void> {
  const { help, ...options } = readRestoreOptions(args)
  if (help) return console.log(RESTORE_HELP)
  const env = environment()
  const config = readConfig(env)
  armFailpoint(env['FAILPOINT'])
  await expectClosed(config)
  await prepareDataFolder(config.dataDir)
  const database = connect(config)
  try {
    const { manifest, unsent } = await restoreBackup({ ...options, database, dataDir: config.dataDir }, systemClock)
    const count = (table: string, words: string): string => `${manifest.rows[table] ?? 0} ${words}`
    const what = [count('products', 'products'), count('orders', 'orders'), count('users', 'accounts')].join(', ')
    console.log(`Restored ${what}, as they were on ${formatDayAndTime(manifest.createdAt)}`)
    if (unsent > 0) console.log(`${unsent} mails were waiting then; they may have gone since and are not sent again`)
    console.log('Start the shop: it publishes the site, and asks the payment provider what was paid since')
  } finally {
    await database.close()
  }
}

/** What a shop that runs remembers would be wrong afterwards. */
async function expectClosed(config: Config): Promise<void> {
  const address = `${localApi(config)}/health`
  const reply = await fetch(address, { signal: AbortSignal.timeout(HEALTH_TIMEOUT) }).catch(() => undefined)
  if (reply) throw new Error(`the shop is running (${address} answers); stop it first`)
}
