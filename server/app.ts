import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'
import { ShopError } from '#lib/errors.ts'
import { auditRoutes, userRoutes } from './accounts/admin-routes.ts'
import { deleteExpiredCodes } from './accounts/codes.ts'
import type { PersonalData } from './accounts/account.ts'
import { createPasswords, type Passwords } from './accounts/passwords.ts'
import { accountRoutes, authRoutes } from './accounts/routes.ts'
import { deleteEndedSessions, session } from './accounts/sessions.ts'
import {
  adminBackupRoutes,
  backupDownload,
  createArchiver,
  deleteEndedTickets
} from './backups/routes.ts'
import { collectionRoutes, pictureRoutes, productRoutes } from './catalog/admin-routes.ts'
import { alertRoutes, catalogRoutes } from './catalog/routes.ts'
import { deleteAlerts, deleteOldAlertMails, listAlerts } from './catalog/stock-alerts.ts'
import type { Config } from './config.ts'
import { couponRoutes } from './coupons/admin-routes.ts'
import { anonymiseCouponUses } from './coupons/claims.ts'
import { messageRoutes, postRoutes } from './content/admin-routes.ts'
import {
  deleteMessagesFrom,
  deleteOldMessages,
  listMessagesFrom,
  moveMessages
} from './content/message-queries.ts'
import { contactRoutes, contentRoutes } from './content/routes.ts'
import {
  deleteNewDraws,
  deletePersonlessDraws,
  anonymiseDraws,
  listAllDraws
} from './deals/queries.ts'
import { dealRoutes } from './deals/routes.ts'
import { deliveryRoutes } from './delivery/offers.ts'
import { isLive, liveShopRoutes } from './live-shop/live-shop.ts'
import { adminOrderRoutes } from './orders/desk/routes.ts'
import { deleteCart, readCart } from './orders/checkout/cart.ts'
import { deleteExpiredOrderData } from './orders/payment/jobs.ts'
import { deleteUnpaidCheckouts } from './orders/payment/deleted-checkouts.ts'
import { anonymiseOrders } from './orders/queries.ts'
import { readAllOrders } from './orders/view.ts'
import { orderRoutes } from './orders/routes.ts'
import { unmatchedPaymentRoutes } from './orders/payment/unmatched.ts'
import { addMetrics } from './metrics/metrics.ts'
import type { Database } from './platform/db/connect.ts'
import type { Db, Trx } from './platform/db/tables.ts'
import type { Write } from './platform/db/write.ts'
import { assets } from './platform/http/assets.ts'
import { createServer } from './platform/http/create-server.ts'
import { errors } from './platform/http/errors.ts'
import { deleteOldCounts } from './platform/http/limits.ts'
import { openapi } from './platform/http/openapi.ts'
import { compressReply } from './platform/http/prepared-reply.ts'
import {
  afterReply,
  bodyTimeout,
  emptyBodies,
  headerChecks
} from './platform/http/request-lifecycle.ts'
import { crossOrigin, securityHeaders } from './platform/http/security-headers.ts'
import { healthRoutes } from './platform/http/service.ts'
import { createMail, type MailGateway } from './platform/mail/mail.ts'
import { systemRandomInt, type Clock, type RandomInt } from './platform/process/clock.ts'
import { logOptions, type LogTarget } from './platform/process/logging.ts'
import { readSecret } from './platform/process/secret.ts'
import { createImages, type Images } from './platform/storage/images.ts'
import type { ObjectStore } from './platform/storage/object-store.ts'
import { createSharedPictures, type SharedPictures } from './platform/storage/shared-pictures.ts'
import { publishingRoutes } from './publishing/admin-routes.ts'
import { readCache } from './publishing/public-replies.ts'
import { rebuildHook } from './publishing/rebuild-hook.ts'
import type { Publisher } from './publishing/republish.ts'
import { staticSite, type Site } from './publishing/static-site.ts'
import {
  createRazorpay,
  writeOnlyIfLive,
  type PaymentGateway,
  type Payments
} from './razorpay/client.ts'
import { mountSandbox } from './razorpay/sandbox/sandbox.ts'
import { readPaymentSettings, SANDBOX_PATH } from './razorpay/settings.ts'
import { adminSearchRoutes, deleteOldMissedSearches, searchRoutes } from './search/routes.ts'
import { settingsRoutes, shopRoutes } from './settings/routes.ts'
import { readSection, readSender } from './settings/settings.ts'
import { setupRoutes } from './setup/routes.ts'

export interface Deps {
  config: Config
  database: Database
  write: Write
  clock: Clock
  passwords?: Passwords
  images?: Images
  /** Only if several nodes share pictures and releases. */
  objects?: ObjectStore | undefined
  randomInt?: RandomInt
  gateway?: PaymentGateway
  mail?: MailGateway
  site?: Site
  publishing?: Publisher
  logTarget?: LogTarget
}

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
    database: Database
    write: Write
    clock: Clock
    passwords: Passwords
    images: Images
    objects: ObjectStore | undefined
    sharedPictures: SharedPictures | undefined
    randomInt: RandomInt
    codeSecret: Buffer
    deleteShoppingData: typeof deleteShoppingData
    payments: Payments
    mail: MailGateway
    readShopName: typeof readShopName
  }
}

const CLEAN_UP: readonly ((trx: Trx, now: number) => Promise<void>)[] = [
  deleteEndedSessions,
  deleteExpiredCodes,
  deleteOldCounts,
  deleteEndedTickets,
  deleteExpiredOrderData,
  deleteOldMessages,
  deleteOldAlertMails,
  deleteOldMissedSearches,
  anonymiseDraws,
  anonymiseCouponUses
]

/**
 * Called as functions, because registering each as a plugin takes a tenth of the start's CPU time.
 * Therefore they must not add hooks or parsers, which would then apply to all routes.
 */
const PUBLIC_ROUTES = [
  healthRoutes,
  catalogRoutes,
  alertRoutes,
  dealRoutes,
  deliveryRoutes,
  contentRoutes,
  shopRoutes,
  searchRoutes,
  authRoutes
]

/** The session plugin protects these routes, because their paths begin with `/api/admin`. */
const ADMIN_ROUTES = [
  auditRoutes,
  productRoutes,
  collectionRoutes,
  couponRoutes,
  adminOrderRoutes,
  unmatchedPaymentRoutes,
  userRoutes,
  messageRoutes,
  postRoutes,
  adminSearchRoutes,
  liveShopRoutes,
  settingsRoutes,
  setupRoutes
]

/**
 * Passed to the account routes, so that accounts need not know the features that store personal
 * data.
 */
const personalData: PersonalData = {
  async read(deps, { id, email, verified_at }) {
    const db = deps.database.kysely
    // An account with an unverified address gets no contact messages, because the address may be
    // somebody else's.
    const messages = verified_at === null ? [] : await listMessagesFrom(db, email)
    const { lines } = await readCart(deps, id)
    const stockAlerts = await listAlerts(db, id)
    const discounts = await listAllDraws(db, id)
    return { messages, orders: readAllOrders(deps, id), cart: lines, stockAlerts, discounts }
  },
  async erase(trx, { id, email, verified_at }, at) {
    await deleteCart(trx, id)
    await deleteAlerts(trx, id)
    await deletePersonlessDraws(trx, id)
    if (verified_at !== null) await deleteMessagesFrom(trx, email)
    await anonymiseOrders(trx, at)
  },
  move: moveMessages
}

async function deleteShoppingData(trx: Trx, userId: string): Promise<void> {
  await deleteCart(trx, userId)
  await deleteAlerts(trx, userId)
  await deleteNewDraws(trx, userId)
}

async function readShopName(db: Db): Promise<string> {
  return (await readSection(db, 'shop')).name
}

/** Groups the calls in the OpenAPI documentation by their path. */
const TAGS = {
  '/admin/publishing': 'publishing',
  '/admin': 'admin',
  '/auth': 'accounts',
  '/backups': 'admin',
  '/blog': 'content',
  '/cart': 'cart',
  '/catalog': 'catalog',
  '/contact': 'content',
  '/delivery': 'delivery',
  '/discounted-products': 'deals',
  '/flash-deals': 'deals',
  '/health': 'service',
  '/hooks': 'publishing',
  '/orders': 'orders',
  '/payments': 'payments',
  '/pictures': 'catalog',
  '/products': 'catalog',
  '/search': 'catalog',
  '/site-content': 'content',
  '/shop': 'content',
  '/status': 'service',
  '/stock-alerts': 'catalog'
}

export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const logging = await logOptions(deps.config, deps.logTarget)
  const app = createServer(deps.config, logging)
  await app.register(errors)
  await app.register(bodyTimeout)
  await app.register(emptyBodies)
  await app.register(headerChecks)
  decorate(app, deps)
  await app.register(readCache)
  app.decorate('codeSecret', await readSecret(deps.config, 'codes'))
  const settings = await readPaymentSettings(deps.config)
  const gateway = await addMetrics(app, deps.gateway ?? createRazorpay(settings))
  app.decorate('payments', { settings, gateway: writeOnlyIfLive(gateway, () => isLive(app)) })
  await app.register(afterReply)
  await app.register(session)
  await app.register(registerApi, { ...deps, prefix: '/api' })
  await app.register(registerPictures, { prefix: '/assets' })
  if (settings.isSandbox) await app.register(mountSandbox, { prefix: SANDBOX_PATH })
  if (deps.site) await app.register(staticSite, deps.site)
  app.setNotFoundHandler(throwNotFound)
  return app
}

function decorate(app: FastifyInstance, deps: Deps): void {
  const {
    config,
    database,
    write,
    clock,
    passwords,
    images,
    objects,
    randomInt,
    mail,
    publishing
  } = deps
  app.decorate('config', config)
  app.decorate('database', database)
  app.decorate('clock', clock)
  app.decorate('isDraining', false)
  app.decorate('passwords', passwords ?? createPasswords())
  const sharedPictures = objects && createSharedPictures(objects, write, config.dataDir)
  app.decorate('objects', objects)
  app.decorate('sharedPictures', sharedPictures)
  app.decorate('images', images ?? createImages(config.dataDir, sharedPictures))
  app.decorate('randomInt', randomInt ?? systemRandomInt)
  app.decorate('mail', mail ?? createMail(config, () => readSender(database.kysely, config)))
  app.decorate('readShopName', readShopName)
  app.decorate('deleteShoppingData', deleteShoppingData)
  app.decorate('write', async (action, durability) => {
    try {
      return await write(action, durability)
    } finally {
      // This client's next request must see the write. Unsynced writes are sessions and counts,
      // which no page shows.
      if (durability !== 'unsynced') {
        app.publicReplies.invalidate()
        publishing?.scheduleCheck()
      }
    }
  })
}

async function registerApi(app: FastifyInstance, { publishing }: Deps): Promise<void> {
  const { config } = app
  await app.register(securityHeaders, { ...config, allowOtherOrigins: false })
  await app.register(crossOrigin, config)
  await app.register(openapi, { prefix: '/api', title: 'Shop API', tags: TAGS })
  for (const routes of PUBLIC_ROUTES) await routes(app, {})
  await app.register(contactRoutes)
  await app.register(accountRoutes, { personalData })
  await app.register(registerAdminRoutes, { prefix: '/admin' })
  const makeArchive = createArchiver(app)
  await app.register(adminBackupRoutes, { prefix: '/admin', makeArchive })
  await app.register(backupDownload, { makeArchive })
  await app.register(orderRoutes)
  if (publishing) {
    await app.register(publishingRoutes, { publishing })
    await app.register(rebuildHook, { publishing })
  }
  for (const url of ['/', '/*'])
    app.all(url, { schema: { hide: true }, onRequest: throwNotFound }, throwNotFound)
}

async function registerAdminRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', compressReply)
  for (const routes of ADMIN_ROUTES) await routes(app, {})
  await app.register(pictureRoutes)
}

async function registerPictures(app: FastifyInstance): Promise<void> {
  await app.register(securityHeaders, { ...app.config, allowOtherOrigins: true })
  await app.register(assets, {
    folder: join(app.config.dataDir, 'assets'),
    shared: app.sharedPictures
  })
  app.setNotFoundHandler(throwNotFound)
}

async function throwNotFound(): Promise<never> {
  throw new ShopError('NOT_FOUND')
}

/** Several processes may do this at once, because deleting twice is harmless. */
export async function deleteExpired({
  write,
  clock
}: Pick<Deps, 'write' | 'clock'>): Promise<void> {
  const now = clock()
  await write(async trx => {
    for (const deleteRows of CLEAN_UP) await deleteRows(trx, now)
  })
  // In small batches, so that shoppers need not wait while a flood of checkouts is deleted.
  while (await write(trx => deleteUnpaidCheckouts(trx, now))) continue
}
