import type { FastifyInstance, InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import { configureApi } from '#lib/api.ts'
import type { Deps } from '#server/app.ts'
import type { LogTarget } from '#server/platform/process/logging.ts'
import type { RandomInt } from '#server/platform/process/secret.ts'
import type { Clock } from '#lib/time.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { Push } from '#server/bell/push.ts'
import type { Mail, MailGateway } from '#server/platform/mail/mail.ts'
import type { PaymentGateway } from '#server/razorpay/client.ts'
import type { Publisher } from '#server/publishing/republish.ts'
import { isLive, registerShop } from '#server/live-shop/live-shop.ts'
import { deliverMails } from '#server/platform/mail/outbox.ts'
import { addToCatalog, type CatalogDraft } from './catalog.ts'
import { openDatabase, type Engine, type TestDatabase } from './database.ts'
import { openOwnApp, openSharedApp } from './shared-app.ts'

export const START_TIME = '2026-11-21T04:00:00.000Z'

export type TestClock = Clock & { advance(ms: number): void }

export interface Reply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: unknown
  text: string
  raw: Buffer
}

export type Shop = Awaited<ReturnType<typeof openShop>>

export interface ShopOptions extends CatalogDraft {
  clock?: TestClock
  mail?: MailGateway
  push?: Push
  config?: Partial<Config>
  randomInt?: RandomInt
  logTarget?: LogTarget
  gateway?: PaymentGateway
  objects?: Deps['objects']
  /** If set, the shop uses the database, clock and data folder of `publishing`. */
  publishing?: Publisher
  database?: TestDatabase
  /** For tests of what an app has in memory or in files. */
  hasOwnApp?: boolean
}

export async function openShop(engine: Engine = 'sqlite', options: ShopOptions = {}) {
  const { publishing, config: changes = {}, clock = testClock() } = options
  const {
    database,
    write,
    close: closeDatabase
  } = publishing
    ? { ...publishing.deps, close: async () => undefined }
    : (options.database ?? (await openDatabase(engine)))
  const mails: Mail[] = []
  const mail = options.mail ?? { send: async sent => void mails.push(sent) }
  const { logTarget, objects, hasOwnApp = false } = options
  const { razorpay: _, ...fixed } = changes
  const isShared =
    !hasOwnApp && !publishing && !logTarget && !objects && Object.keys(fixed).length === 0
  const dataDir = publishing?.deps.config.dataDir ?? ''
  const deps = {
    ...options,
    ...(publishing && { site: publishing.deps }),
    config: { ...readConfig({ LOG_LEVEL: logTarget ? 'debug' : 'silent' }), dataDir, ...changes },
    database,
    write,
    clock,
    mail
  }
  const { app, close: closeApp } = await (isShared ? openSharedApp : openOwnApp)(deps)
  await write(trx => registerShop(trx, app.config.siteUrl, clock()))
  await write(trx => addToCatalog(trx, options, clock()))
  let isOpen = true

  async function close() {
    if (!isOpen) return
    isOpen = false
    await closeApp()
    await closeDatabase()
  }

  onTestFinished(close)
  return {
    app,
    database,
    write: app.write,
    writeFromOtherProcess: write,
    clock,
    dataDir: app.config.dataDir,
    mails,
    get: (path: string, headers: Record<string, string> = {}) =>
      inject(app, { url: `/api${path}`, headers }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      inject(app, {
        method: 'POST',
        url: `/api${path}`,
        payload: body as NonNullable<InjectOptions['payload']>,
        headers
      }),
    request: (request: InjectOptions) => inject(app, request),
    addToCatalog: (draft: CatalogDraft) => app.write(trx => addToCatalog(trx, draft, clock())),
    deliverMails: () =>
      deliverMails(
        { database, write, clock, mail, maySend: () => isLive(app), log: app.log },
        'this shop'
      ),
    close
  }
}

export function connectBrowser(shop: Pick<Shop, 'app'>): void {
  configureApi({ base: '/api', send: browserFetch(shop) })
}

export function browserFetch({
  app
}: Pick<Shop, 'app'>): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    const reply = await app.inject({
      method: (method ?? 'GET') as 'GET',
      url,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { payload: body })
    })
    const hasNoBody = reply.statusCode === 204 || reply.statusCode === 304
    const retryAfter = reply.headers['retry-after']
    return new Response(hasNoBody ? null : reply.body, {
      status: reply.statusCode,
      ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } })
    })
  }
}

export function testClock(start = START_TIME): TestClock {
  let now = Date.parse(start)
  return Object.assign(() => now, { advance: (ms: number) => void (now += ms) })
}

async function inject(app: FastifyInstance, request: InjectOptions) {
  const { statusCode, headers, rawPayload, body } = await app.inject(request)
  const isJson =
    String(headers['content-type']).includes('json') && !headers['content-encoding'] && body !== ''
  return {
    status: statusCode,
    headers,
    raw: rawPayload,
    text: body,
    body: isJson ? JSON.parse(body) : undefined
  }
}
