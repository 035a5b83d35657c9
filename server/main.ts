import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { SECOND } from '#lib/time.ts'
import { createFirstAdmin, type FirstAdmin } from './accounts/admins.ts'
import { buildApp } from './app.ts'
import {
  needsTrustProxy,
  readConfig,
  readEnvironment,
  toLocalOrigin,
  type Config
} from './config.ts'
import { seedShop } from './demo/first-start.ts'
import { startJobs } from './jobs.ts'
import { isLive, registerShop } from './live-shop/live-shop.ts'
import { connect } from './platform/db/connect.ts'
import { migrate } from './platform/db/migrate.ts'
import { createWrite } from './platform/db/write.ts'
import { checkAddress, drain, listen } from './platform/http/server.ts'
import type { Loop } from './platform/process/jobs.ts'
import {
  closeOnSignals,
  hideFilesFromOtherUsers,
  oneLine,
  withProgress
} from './platform/process/command.ts'
import { armFailpoint } from './platform/process/failpoints.ts'
import { saveSecretFingerprint } from './platform/process/secret.ts'
import { isLoopback } from './platform/process/settings.ts'
import { prepareDataFolder } from './platform/storage/files.ts'
import { openObjectStore } from './platform/storage/open-store.ts'
import { openPublishing } from './publishing/publish.ts'
import { readSection } from './settings/settings.ts'
import { checkPaymentMode, usesTestMode } from './razorpay/config.ts'
import { createPublisher, DEBOUNCE, formatPublished } from './publishing/republish.ts'

const OTHER_SECRET =
  'The node that started last had another SHOP_SECRET, or another codes.secret in DATA_DIR. ' +
  'Unless it has just been changed, set the same SHOP_SECRET on all nodes'
const FORMER_SETTING =
  'CDN_STORAGE_URL is withdrawn: set STORAGE_URL=s3://… instead; see docs/running.md'
const PROXY_UNSET =
  'TRUST_PROXY is unset: all visitors share the proxy’s address and its limits. ' +
  'For one proxy, set TRUST_PROXY=1'
const CLOSE_TIMEOUT = 8 * SECOND

/** In ms. Benchmarks and tests pass `--debounce=0`. */
const debounce = Number(
  process.argv.find(text => text.startsWith('--debounce='))?.slice(11) ?? DEBOUNCE
)

const print = (line: string) => console.log(line)
const shutdown = closeOnSignals(error => console.error(`Error during shutdown: ${oneLine(error)}`))

let log: FastifyBaseLogger | undefined

process.on('uncaughtException', exitWithError)
hideFilesFromOtherUsers()
await startShop().catch(exitWithError)

async function startShop() {
  const env = readEnvironment()
  const config = readConfig(env)
  armFailpoint(env['FAILPOINT'])
  if (env['CDN_STORAGE_URL']) print(FORMER_SETTING)
  const withSite = !process.argv.includes('--api-only')
  await prepareDataFolder(config.dataDir)

  const database = connect(config)
  shutdown.onEnd(() => database.close())
  const write = createWrite(database)
  const newer = await withProgress(print, 'Preparing the database…', migrate(database))
  if (newer.length > 0)
    print(`A newer version has changed the database (${newer.join(', ')}). Update this node soon`)
  const { keyId } = await readSection(database.kysely, 'payments')
  checkPaymentMode(config, keyId)
  await write(trx => registerShop(trx, config.siteUrl, Date.now()))
  await seedShop({ database, write, clock: Date.now }, config, {
    progress: print,
    checkAddress: () => checkAddress(config),
    onEnd: shutdown.onEnd
  })

  const objects = config.storage && openObjectStore(config.storage)
  const sharedDeps = { config, database, write, clock: Date.now, objects }
  const publishDeps = openPublishing(env, sharedDeps)
  const { releases, renderer } = publishDeps
  // In reverse order: the renderer closes after the publishing job, which uses it.
  shutdown.onEnd(async () => renderer.close())
  const publishing = createPublisher(publishDeps)
  const app = await buildApp(
    withSite ? { ...sharedDeps, site: { releases }, publishing } : sharedDeps
  )
  const jobs: Loop[] = []
  shutdown.onEnd(() => Promise.all([closeApp(app), ...jobs.map(job => job.stop())]))
  log = app.log
  await listen(app, config)
  if (needsTrustProxy(config)) print(PROXY_UNSET)

  if (config.shutdownDelay > 0) shutdown.prepare = () => drain(app, config.shutdownDelay)
  if (!(await write(trx => saveSecretFingerprint(trx, app.codeSecret)))) log.warn(OTHER_SECRET)
  if (!(await isLive(app))) print(ADMIN_MESSAGES.notLive)

  jobs.push(...startJobs(app))
  const admin = await createFirstAdmin(app, config)
  if (admin) print(formatWelcome(admin))
  if (!withSite) return

  const isTest = usesTestMode(await app.payments.current())
  let isAnnounced = false
  const announceOnce = () => {
    const mode = isTest ? `. ${MESSAGES.testMode}` : ''
    if (!isAnnounced) print(`The shop is open at ${toShopUrl(config)}${mode}`)
    isAnnounced = true
  }
  if (await releases.current()) announceOnce()
  // The pretty log already prints these outcomes.
  const printOutcome = config.logFormat === 'pretty' ? () => undefined : print
  const loop = publishing.start({
    log,
    debounce,
    progress: print,
    onDone(outcome) {
      if (outcome.state === 'published') printOutcome(formatPublished(outcome))
      if (outcome.state === 'failed') printOutcome(`Publishing failed: ${oneLine(outcome.error)}`)
      else announceOnce()
    }
  })
  jobs.push(loop)
}

function formatWelcome({ email, password }: FirstAdmin) {
  const shown = password === undefined ? 'set by ADMIN_PASSWORD' : `${password} (shown only once)`
  return `Administrator: ${email}, password: ${shown}`
}

async function closeApp(app: FastifyInstance) {
  const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT)
  await app.close().finally(() => clearTimeout(timer))
}

function toShopUrl({ host, port, siteUrl }: Config) {
  if (!isLoopback(new URL(siteUrl).hostname)) return siteUrl
  return toLocalOrigin({
    host: ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host,
    port
  })
}

function exitWithError(error: unknown) {
  // The shutdown itself can cause errors, which are ignored.
  if (shutdown.isClosing) return
  log?.fatal({ err: error }, 'The server stopped after an error')
  console.error(`The shop can't run: ${oneLine(error)}`)
  process.exit(1)
}
