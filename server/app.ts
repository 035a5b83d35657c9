import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ShopDetails } from '#lib/contract/shop.ts'
import { ShopError } from '#lib/errors.ts'
import { BODY_TIMEOUT, SECOND, UPLOAD_BODY_TIMEOUT } from '#lib/time.ts'
import type { Payments } from './actions/checkout/deps.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connect.ts'
import type { Write } from './db/write.ts'
import { createImages, type Images } from './gateways/images.ts'
import { razorpay, type PaymentGateway } from './gateways/payments.ts'
import { createPasswords, type Passwords } from './gateways/passwords.ts'
import { logOptions, type LogTarget } from './logging.ts'
import { readPaymentSettings, SANDBOX_PATH, type PaymentSettings } from './payment-settings.ts'
import { afterwards } from './plugins/afterwards.ts'
import { assets } from './plugins/assets.ts'
import { bodyTime } from './plugins/body-time.ts'
import { crossOrigin } from './plugins/cross-origin.ts'
import { answerBroken, answerMalformed, errors } from './plugins/errors.ts'
import { openapi } from './plugins/openapi.ts'
import { rateLimits } from './plugins/rate-limits.ts'
import { readCache } from './plugins/read-cache.ts'
import { securityHeaders } from './plugins/security-headers.ts'
import { session } from './plugins/session.ts'
import { staticSite, type Site } from './plugins/static-site.ts'
import type { Publishing } from './publishing.ts'
import { accountRoutes } from './routes/account.ts'
import { adminRoutes } from './routes/admin/index.ts'
import { publishingRoutes } from './routes/admin/publishing.ts'
import { authRoutes } from './routes/auth.ts'
import { backupDownload } from './routes/backups.ts'
import { cartRoutes } from './routes/cart.ts'
import { catalogRoutes } from './routes/catalog.ts'
import { contactRoutes } from './routes/contact.ts'
import { contentRoutes } from './routes/content.ts'
import { dealRoutes } from './routes/deals.ts'
import { healthRoutes } from './routes/health.ts'
import { orderRoutes } from './routes/orders.ts'
import { paymentRoutes } from './routes/payments.ts'
import { mountSandbox } from './sandbox/mounted.ts'
import { systemRandomInt, type RandomInt } from './random.ts'
import { rebuildHook } from './routes/rebuild-hook.ts'
import { readSecret } from './secret.ts'
import { readShop } from './shop.ts'

export interface Deps {
  config: Config
  database: Database
  write: Write
  clock: Clock
  passwords?: Passwords
  images?: Images
  randomInt?: RandomInt
  /** Instead of the one that the settings name. */
  gateway?: PaymentGateway
  /** The published site; without one, pages are not served. */
  site?: Site
  /** What publishes it after changes. */
  publishing?: Publishing
  /** Instead of stdout. */
  logTo?: LogTarget
}

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
    database: Database
    write: Write
    clock: Clock
    passwords: Passwords
    images: Images
    randomInt: RandomInt
    codeSecret: Buffer
    paymentSettings: PaymentSettings
    payments: Payments
    shop: ShopDetails
  }
}

const BODY_LIMIT = 64 * 1024
const MOST_CONNECTIONS = 5000
/** Any address that has no page. */
const NOT_FOUND = '/404'

/** The whole HTTP side of the shop, wired, and not listening yet. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = createServer(await logOptions(deps.config, deps.logTo))
  await app.register(errors)
  await app.register(bodyTime)
  await app.register(readCache, deps)
  decorate(app, deps)
  app.decorate('codeSecret', await readSecret(deps.config.dataDir, 'codes'))
  const settings = await readPaymentSettings(deps.config)
  app.decorate('paymentSettings', settings)
  app.decorate('payments', { settings, gateway: deps.gateway ?? razorpay(settings) })
  await app.register(afterwards)
  await app.register(session, deps)
  await app.register(api, { ...deps, prefix: '/api' })
  await app.register(pictures, { prefix: '/assets' })
  if (app.paymentSettings.isSandbox) await app.register(mountSandbox, { prefix: SANDBOX_PATH })
  if (deps.site) await app.register(staticSite, deps.site)
  app.setNotFoundHandler(nothingHere)
  app.addHook('preClose', async () => dismissIdle(app))
  return app
}

function createServer(logging: FastifyServerOptions): FastifyInstance {
  const start = randomBytes(4).toString('hex')
  let requests = 0
  const app = Fastify({
    ...logging,
    genReqId: () => `${start}-${(++requests).toString(36)}`,
    trustProxy: false,
    bodyLimit: BODY_LIMIT,
    // The longest of all; `bodyTime` ends other requests sooner.
    requestTimeout: UPLOAD_BODY_TIMEOUT + BODY_TIMEOUT,
    keepAliveTimeout: 65 * SECOND,
    http: { headersTimeout: 15 * SECOND },
    forceCloseConnections: 'idle',
    // What is under way when the shop closes is answered, on a connection that closes then.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => (isReadable(url) ? url : NOT_FOUND),
    frameworkErrors: answerMalformed,
    clientErrorHandler: answerBroken
  })
  app.server.maxConnections = MOST_CONNECTIONS
  // No call takes plain text, which a form of another site can send without being asked about.
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  return app
}

function decorate(app: FastifyInstance, deps: Deps): void {
  const { config, database, write, clock, passwords, images, randomInt, publishing } = deps
  app.decorate('config', config)
  app.decorate('database', database)
  app.decorate('clock', clock)
  app.decorate('passwords', passwords ?? createPasswords())
  app.decorate('images', images ?? createImages(config.dataDir))
  app.decorate('randomInt', randomInt ?? systemRandomInt)
  app.decorate('shop', readShop())
  app.decorate('write', async (action, safety) => {
    try {
      return await write(action, safety)
    } finally {
      // Whoever wrote reads what was written.
      app.reads.touch()
      publishing?.touch()
    }
  })
}

async function api(app: FastifyInstance, { publishing }: Deps): Promise<void> {
  const { config, clock, shop } = app
  await app.register(securityHeaders, { ...config, shared: false })
  await app.register(crossOrigin, config)
  await app.register(rateLimits, { clock })
  await app.register(openapi, { prefix: '/api', siteUrl: config.siteUrl, title: shop.name, notFound: nothingHere })
  await app.register(healthRoutes)
  await app.register(catalogRoutes)
  await app.register(dealRoutes)
  await app.register(contentRoutes)
  await app.register(contactRoutes)
  await app.register(authRoutes)
  await app.register(accountRoutes)
  await app.register(adminRoutes, { prefix: '/admin' })
  await app.register(backupDownload)
  await app.register(cartRoutes)
  await app.register(paymentRoutes)
  await app.register(orderRoutes)
  if (publishing) {
    await app.register(publishingRoutes, { publishing })
    await app.register(rebuildHook, { publishing })
  }
  // Before a body is read, and before the published site could answer.
  for (const url of ['/', '/*']) app.all(url, { schema: { hide: true }, onRequest: nothingHere }, nothingHere)
}

async function pictures(app: FastifyInstance): Promise<void> {
  await app.register(securityHeaders, { ...app.config, shared: true })
  await app.register(assets, { folder: join(app.config.dataDir, 'assets') })
  app.setNotFoundHandler(nothingHere)
}

// A connection that answers its last request after the closing began would stay open until it times out.
function dismissIdle({ server }: FastifyInstance): void {
  if (!server.listening) return
  const timer = setInterval(() => server.closeIdleConnections(), SECOND / 10)
  server.once('close', () => clearInterval(timer))
}

/** Whether the router can read an address; a person with one that it can't is shown the page for that, a program the error. */
function isReadable(url: string): boolean {
  if (/^\/(?:api|assets|sandbox)\//.test(url)) return true
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, '')) !== ''
  } catch {
    return false
  }
}

async function nothingHere(): Promise<never> {
  throw new ShopError('NOT_FOUND')
}
