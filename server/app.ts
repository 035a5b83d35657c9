import type { FastifyInstance } from 'fastify'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { readSandboxKeys } from '../sandbox/objects.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '#lib/time.ts'
import { auditRoutes } from './accounts/audit.ts'
import { userRoutes } from './accounts/admins.ts'
import type { PersonalData } from './accounts/account.ts'
import { createPasswords, type Passwords } from './accounts/passwords.ts'
import { accountRoutes, authRoutes } from './accounts/routes.ts'
import { session } from './accounts/sessions.ts'
import { backupRoutes } from './backups/routes.ts'
import { bellRoutes, listBells } from './bell/bell.ts'
import { createPush, type Push, toVapidKeys, type VapidKeys } from './bell/push.ts'
import { collectionRoutes } from './catalog/collections.ts'
import { pictureRoutes } from './catalog/pictures.ts'
import { catalogRoutes, productRoutes } from './catalog/routes.ts'
import { alertRoutes, deleteAlerts, listAlerts } from './catalog/stock-alerts.ts'
import { toLocalApiUrl, type Config } from './config.ts'
import { couponRoutes } from './coupons/coupons.ts'
import {
  messageRoutes,
  deleteMessagesFrom,
  listMessagesFrom,
  moveMessages
} from './content/messages.ts'
import { contentRoutes, postRoutes } from './content/posts.ts'
import { contactRoutes } from './content/contact.ts'
import { deleteNewDraws, deletePersonlessDraws, listAllDraws } from './deals/draws.ts'
import { dealRoutes } from './deals/deals.ts'
import { deliveryRoutes } from './delivery/offers.ts'
import { liveShopRoutes } from './live-shop/live-shop.ts'
import { adminOrderRoutes } from './orders/desk/routes.ts'
import { deleteCart, readCart } from './orders/checkout/cart.ts'
import { anonymiseOrders } from './orders/clean-up.ts'
import { readAllOrders } from './orders/view.ts'
import { orderRoutes } from './orders/routes.ts'
import { unmatchedPaymentRoutes } from './orders/payment/unmatched.ts'
import { addMetrics } from './metrics/metrics.ts'
import type { Trx } from './platform/db/tables.ts'
import type { DataDeps } from './platform/db/write.ts'
import {
  afterReply,
  createServer,
  crossOrigin,
  securityHeaders,
  openapi,
  healthRoutes
} from './platform/http/server.ts'
import { compressReply, assets } from './platform/http/content-negotiation.ts'
import { canSend, createMail, type MailGateway } from './platform/mail/mail.ts'
import { logOptions, type LogTarget } from './platform/process/logging.ts'
import { readSecret, type RandomInt } from './platform/process/secret.ts'
import { createImages, type Images } from './platform/storage/images.ts'
import type { ObjectStore } from './platform/storage/object-store.ts'
import { publishingRoutes, rebuildHook } from './publishing/routes.ts'
import { readCache } from './publishing/public-data.ts'
import type { Publisher } from './publishing/republish.ts'
import { staticSite, type Site } from './publishing/static-site.ts'
import { openPayments, type Payments } from './orders/payment/accounts.ts'
import type { PaymentGateway } from './razorpay/client.ts'
import { SANDBOX_PATH, usesTestMode } from './razorpay/config.ts'
import { adminSearchRoutes, searchRoutes } from './catalog/search-routes.ts'
import { settingsRoutes, shopRoutes } from './settings/routes.ts'
import { readMailServer } from './settings/secrets.ts'
import { readSender, readShopName } from './settings/contact.ts'
import { mailSampleRoutes } from './setup/mail-samples.ts'
import { setupRoutes } from './setup/routes.ts'

interface Replaceable {
  passwords: Passwords
  images: Images
  objects: ObjectStore | undefined
  randomInt: RandomInt
  mail: MailGateway
  push: Push
}

export interface Deps extends DataDeps, Partial<Replaceable> {
  config: Config
  gateway?: PaymentGateway
  site?: Site
  publishing?: Publisher
  logTarget?: LogTarget
}

declare module 'fastify' {
  interface FastifyInstance extends DataDeps, Replaceable {
    config: Config
    codeSecret: Buffer
    /** Encrypts passwords and keys that the owner saves. */
    settingsKey: Buffer
    /** With these, push services recognise the shop. */
    bellKeys: VapidKeys
    deleteShoppingData: typeof deleteShoppingData
    payments: Payments
    readShopName: typeof readShopName
    /** False if mails only become files. */
    sendsMail: () => Promise<boolean>
  }
}

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
  bellRoutes,
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
  setupRoutes,
  mailSampleRoutes
]

/** Passed to the account routes, because accounts don't know the other features. */
const personalData: PersonalData = {
  async read(deps, { id, email, verified_at }) {
    const db = deps.database.kysely
    // An unverified address may be somebody else's.
    const messages = verified_at === null ? [] : await listMessagesFrom(db, email)
    const { lines } = await readCart(deps, id)
    const stockAlerts = await listAlerts(db, id)
    const discounts = await listAllDraws(db, id)
    const bells = await listBells(db, id, isoNow(deps.clock))
    return {
      bells,
      messages,
      orders: await readAllOrders(deps, id),
      cart: lines,
      stockAlerts,
      discounts
    }
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

async function deleteShoppingData(trx: Trx, userId: string) {
  await deleteCart(trx, userId)
  await deleteAlerts(trx, userId)
  await deleteNewDraws(trx, userId)
}

export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const logging = await logOptions(deps.config, deps.logTarget)
  const app = createServer(deps.config.trustProxy, logging)
  decorate(app, deps)
  await app.register(readCache)
  app.decorate('codeSecret', await readSecret(deps.config, 'codes'))
  app.decorate('settingsKey', await readSecret(deps.config, 'settings'))
  app.decorate('bellKeys', toVapidKeys(await readSecret(deps.config, 'bell')))
  const payments = await openPayments(app, deps.gateway)
  app.decorate('payments', { ...payments, gateway: await addMetrics(app, payments.gateway) })
  await app.register(afterReply)
  await app.register(session)
  await app.register(registerApi, { ...deps, prefix: '/api' })
  await app.register(registerPictures, { prefix: '/assets' })
  if (payments.settings.isSandbox) await mountSandbox(app)
  if (deps.site) await app.register(staticSite, deps.site)
  app.setNotFoundHandler(throwNotFound)
  return app
}

function decorate(app: FastifyInstance, deps: Deps) {
  const { config, database, write, objects, publishing } = deps
  app.decorate('config', config)
  app.decorate('database', database)
  app.decorate('clock', deps.clock)
  app.decorate('isDraining', false)
  app.decorate('passwords', deps.passwords ?? createPasswords())
  app.decorate('objects', objects)
  app.decorate('images', deps.images ?? createImages(config.dataDir, { objects, write }))
  app.decorate('randomInt', deps.randomInt ?? randomInt)
  const mail = createMail({
    dataDir: config.dataDir,
    readSender: () => readSender(database.kysely, config),
    readServer: () => readMailServer(app),
    usesTestMode: async () => usesTestMode(await app.payments.current())
  })
  app.decorate('mail', deps.mail ?? mail)
  app.decorate('push', deps.push ?? createPush())
  app.decorate('readShopName', readShopName)
  app.decorate('sendsMail', async () => canSend(await readMailServer(app)))
  app.decorate('deleteShoppingData', deleteShoppingData)
  app.decorate('write', async (action, options) => {
    try {
      return await write(action, options)
    } finally {
      const shows = options?.shows ?? 'catalog'
      // This client's next request must see the write.
      if (shows !== 'nothing') app.publicReplies.invalidate()
      if (shows === 'catalog') publishing?.scheduleCheck()
    }
  })
}

async function registerApi(app: FastifyInstance, { publishing }: Deps) {
  const { config } = app
  await app.register(securityHeaders, { ...config, allowOtherOrigins: false })
  await app.register(crossOrigin, config)
  await app.register(openapi, { prefix: '/api', title: 'Shop API' })
  for (const routes of PUBLIC_ROUTES) await app.register(routes)
  await app.register(contactRoutes)
  await app.register(accountRoutes, { personalData })
  await app.register(registerAdminRoutes, { prefix: '/admin' })
  await app.register(backupRoutes)
  await app.register(orderRoutes)
  if (publishing) {
    await app.register(publishingRoutes, { publishing })
    await app.register(rebuildHook, { publishing })
  }
  for (const url of ['/', '/*'])
    app.all(url, { schema: { hide: true }, onRequest: throwNotFound }, throwNotFound)
}

async function registerAdminRoutes(app: FastifyInstance) {
  app.addHook('onSend', compressReply)
  for (const routes of ADMIN_ROUTES) await app.register(routes)
  await app.register(pictureRoutes)
}

async function registerPictures(app: FastifyInstance) {
  await app.register(securityHeaders, { ...app.config, allowOtherOrigins: true })
  await app.register(assets, { folder: join(app.config.dataDir, 'assets') })
  app.setNotFoundHandler(throwNotFound)
}

/** It speaks only HTTP with the shop, at the address where Razorpay's API would be. */
async function mountSandbox(app: FastifyInstance) {
  const { config, clock } = app
  const { plugin } = createSandbox({
    file: join(config.dataDir, 'sandbox.db'),
    keys: await readSandboxKeys(config.dataDir),
    webhookUrl: `${toLocalApiUrl(config)}/payments/razorpay-webhook`,
    clock
  })
  await app.register(plugin, { prefix: SANDBOX_PATH })
}

async function throwNotFound(): Promise<never> {
  throw new ShopError('NOT_FOUND')
}
