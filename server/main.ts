import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { CODE_LIFETIME, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { createFirstAdmin, type FirstAdmin } from './accounts/admins.ts'
import { CODE_MAIL_PREFIX } from './accounts/codes.ts'
import { createPasswords } from './accounts/passwords.ts'
import { buildApp, deleteExpired } from './app.ts'
import { deleteExpiredDownloads } from './backups/routes.ts'
import { listProductIds } from './catalog/read-products.ts'
import { sendStockAlerts } from './catalog/stock-alerts.ts'
import {
  needsTrustProxy,
  readConfig,
  readEnvironment,
  ROOT,
  toLocalOrigin,
  type Config
} from './config.ts'
import { hasSitePictures } from './demo/pictures.ts'
import { seedSettings } from './demo/settings.ts'
import { isLive, registerShop } from './live-shop/live-shop.ts'
import { startPaymentJobs } from './orders/payment/jobs.ts'
import { connect } from './platform/db/connect.ts'
import { migrate } from './platform/db/migrate.ts'
import type { Db } from './platform/db/tables.ts'
import { createWrite } from './platform/db/write.ts'
import { checkAddress, drain, listen } from './platform/http/service.ts'
import { startLoop, type Loop } from './platform/jobs/loop.ts'
import { deleteMailFiles } from './platform/mail/mail.ts'
import { startOutbox } from './platform/mail/outbox.ts'
import { systemClock } from './platform/process/clock.ts'
import {
  closeOnSignals,
  hideFilesFromOtherUsers,
  oneLine,
  withProgress
} from './platform/process/command.ts'
import { armFailpoint } from './platform/process/failpoints.ts'
import { saveSecretFingerprint } from './platform/process/secret.ts'
import { isLoopback } from './platform/process/settings.ts'
import { createWorkerProcess } from './platform/process/worker-process.ts'
import { prepareDataFolder } from './platform/storage/files.ts'
import { openObjectStore } from './platform/storage/object-store.ts'
import { createCdnUpload } from './publishing/cdn.ts'
import { openPublishing } from './publishing/publish.ts'
import { createPublisher, DEBOUNCE, formatPublished } from './publishing/republish.ts'
import { startFollowing } from './publishing/shared-releases.ts'
import { sweepPictures, uploadLocalPictures } from './publishing/sweep-pictures.ts'
import { readSection } from './settings/settings.ts'

const OTHER_SECRET =
  'The node that started last had another SHOP_SECRET, or another codes.secret in DATA_DIR. Unless it has just been changed, set the same SHOP_SECRET on all nodes'
const CLOSE_TIMEOUT = 8 * SECOND
const CLEAN_UP_INTERVAL = 5 * MINUTE
/**
 * Pictures are checked only every six hours, because the check reads every page of all stored
 * releases.
 */
const PICTURES_INTERVAL = 6 * HOUR

/** In ms. Benchmarks and tests pass `--debounce=0`. */
const debounce = Number(
  process.argv.find(text => text.startsWith('--debounce='))?.slice(11) ?? DEBOUNCE
)

const print = (line: string): void => console.log(line)
const shutdown = closeOnSignals(error => console.error(`Error during shutdown: ${oneLine(error)}`))

let log: FastifyBaseLogger | undefined

process.on('uncaughtException', exitWithError)
hideFilesFromOtherUsers()
await startShop().catch(exitWithError)

async function startShop(): Promise<void> {
  const env = readEnvironment()
  const config = readConfig(env)
  armFailpoint(env['FAILPOINT'])
  const withSite = !process.argv.includes('--api-only')
  await prepareDataFolder(config.dataDir)

  const database = connect(config)
  shutdown.onEnd(() => database.close())
  const write = createWrite(database)
  const newer = await withProgress(print, 'Preparing the database…', migrate(database))
  if (newer.length > 0)
    print(`A newer version has changed the database (${newer.join(', ')}). Update this node soon`)
  await write(trx => registerShop(trx, config.siteUrl, systemClock()))
  await seedSettings({ database, write, clock: systemClock }, config)
  const needsDemoData = config.demoData && (await listProductIds(database.kysely)).length === 0
  if (needsDemoData || (await needsSitePictures(database.kysely))) {
    await checkAddress(config)
    await seed()
  }

  const objects = config.storage && (await openObjectStore(config.storage, print))
  const sharedDeps = {
    config,
    database,
    write,
    clock: systemClock,
    passwords: createPasswords(),
    objects
  }
  const publishDeps = openPublishing(env, sharedDeps)
  const { releases, shared, renderer } = publishDeps
  // `onEnd` functions run in reverse order, so the renderer closes after the publishing job, which uses it.
  shutdown.onEnd(async () => renderer.close())
  const bucket = config.cdnStorage && (await openObjectStore(config.cdnStorage, print))
  const isFolder = config.cdnStorage?.type === 'folder'
  const cdn = bucket && createCdnUpload({ write, bucket, isFolder, releases, shared })
  const publishing = createPublisher(publishDeps, cdn)
  const app = await buildApp(
    withSite ? { ...sharedDeps, site: { releases, shared }, publishing } : sharedDeps
  )
  const jobs: Loop[] = []
  shutdown.onEnd(() => Promise.all([closeApp(app), ...jobs.map(job => job.stop())]))
  log = app.log
  await listen(app, config)
  if (needsTrustProxy(config)) {
    print(
      'TRUST_PROXY is unset: all visitors share the proxy’s address and its limits. For one proxy, set TRUST_PROXY=1'
    )
  }

  if (config.shutdownDelay > 0) shutdown.prepare = () => drain(app, config.shutdownDelay)
  if (!(await write(trx => saveSecretFingerprint(trx, app.codeSecret)))) log.warn(OTHER_SECRET)
  if (!(await isLive(app))) print(ADMIN_MESSAGES.notLive)

  const maySend = (): Promise<boolean> => isLive(app)
  jobs.push(startOutbox({ ...sharedDeps, write: app.write, mail: app.mail, maySend, log }))
  jobs.push(...startPaymentJobs(app), startStockAlerts(app), ...startCleanUp(app))
  const admin = await createFirstAdmin(sharedDeps, config)
  if (admin) print(formatWelcome(admin))
  if (!withSite) return

  if (shared) jobs.push(startFollowing(shared, log))
  let isAnnounced = false
  const announceOnce = (): void => {
    const mode = config.testMode ? `. ${MESSAGES.testMode}` : ''
    if (!isAnnounced) print(`The shop is open at ${toShopUrl(config)}${mode}`)
    isAnnounced = true
  }
  if (await releases.current()) announceOnce()
  // The pretty log already prints these outcomes.
  const printOutcome = config.logFormat === 'pretty' ? () => undefined : print
  const publishingLoop = publishing.start({
    log,
    debounce,
    progress: print,
    onDone(outcome) {
      if (outcome.state === 'published') printOutcome(formatPublished(outcome))
      if (outcome.state === 'failed') printOutcome(`Publishing failed: ${oneLine(outcome.error)}`)
      else announceOnce()
    }
  })
  jobs.push(publishingLoop)
  if (cdn) jobs.push(cdn.start(log))
}

async function needsSitePictures(db: Db): Promise<boolean> {
  const { banners } = await readSection(db, 'home')
  return banners.length > 0 && !(await hasSitePictures(db))
}

function startStockAlerts(app: FastifyInstance): Loop {
  const holder = randomUUID()
  const run = (signal: AbortSignal): Promise<void> => sendStockAlerts(app, holder, signal)
  return startRetriedLoop(app, 'Sending mails about stock', MINUTE, run)
}

function startCleanUp(app: FastifyInstance): Loop[] {
  const deleteExpiredData = async (): Promise<void> => {
    await deleteExpired(app)
    await deleteExpiredDownloads(app.config.dataDir, app.clock())
    await deleteMailFiles(app.config.dataDir, CODE_MAIL_PREFIX, app.clock() - CODE_LIFETIME)
  }
  let hasUploaded = false
  const uploadPicturesOnce = async (): Promise<void> => {
    if (hasUploaded) return
    const files = await uploadLocalPictures(app)
    if (files > 0) app.log.info({ files }, 'Uploaded pictures that were only on this node')
    hasUploaded = true
  }
  return [
    startRetriedLoop(app, 'Uploading pictures', CLEAN_UP_INTERVAL, uploadPicturesOnce),
    startRetriedLoop(app, 'Deleting expired data', CLEAN_UP_INTERVAL, deleteExpiredData),
    startRetriedLoop(app, 'Deleting unused pictures', PICTURES_INTERVAL, signal =>
      sweepPictures(app, signal)
    )
  ]
}

function startRetriedLoop(
  { log }: FastifyInstance,
  task: string,
  interval: number,
  run: (signal: AbortSignal) => Promise<void>
): Loop {
  const onError = (error: unknown): void => log.warn({ err: error }, `${task} failed, will retry`)
  return startLoop({ interval, gracePeriod: 2 * SECOND, run, onError })
}

async function seed(): Promise<void> {
  const seeder = createWorkerProcess<null, void, string>(
    join(ROOT, 'server', 'demo', 'seed-process.ts'),
    {
      idleTimeout: () => 0
    }
  )
  shutdown.onEnd(async () => seeder.close())
  await seeder.run(null, { onProgress: print }).catch((cause: unknown) => {
    throw new Error(`Seeding failed: ${oneLine(cause)}`, { cause })
  })
}

function formatWelcome({ email, password }: FirstAdmin): string {
  const passwordText =
    password === undefined ? 'set by ADMIN_PASSWORD' : `${password} (shown only once)`
  return `Administrator: ${email}, password: ${passwordText}`
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT)
  await app.close().finally(() => clearTimeout(timer))
}

function toShopUrl({ host, port, siteUrl }: Config): string {
  if (!isLoopback(new URL(siteUrl).hostname)) return siteUrl
  return toLocalOrigin({
    host: ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host,
    port
  })
}

function exitWithError(error: unknown): void {
  // The shutdown itself can cause errors, which are ignored.
  if (shutdown.isClosing) return
  log?.fatal({ err: error }, 'The server stopped after an error')
  console.error(`The shop can't run: ${oneLine(error)}`)
  process.exit(1)
}
