import type { FastifyInstance, InjectOptions } from 'fastify'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { configureApi } from '#lib/api.ts'
import { buildApp, type Deps } from '#server/app.ts'
import type { RandomInt } from '#server/platform/process/secret.ts'
import type { Clock } from '#lib/time.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { Database } from '#server/platform/db/connect.ts'
import type { Write } from '#server/platform/db/write.ts'
import type { Mail, MailGateway } from '#server/platform/mail/mail.ts'
import type { PaymentGateway } from '#server/razorpay/client.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import type { Publisher } from '#server/publishing/republish.ts'
import { isLive, registerShop } from '#server/live-shop/live-shop.ts'
import { deliverMails } from '#server/platform/mail/outbox.ts'
import { addToCatalog, type CatalogDraft } from './catalog.ts'
import { openDatabase, type Engine, type TestDatabase } from './database.ts'

export const START_TIME = '2026-11-21T04:00:00.000Z'

const SECRET = '0f'.repeat(32)

export type TestClock = Clock & { advance(ms: number): void }

export interface Reply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: unknown
  text: string
  raw: Buffer
}

export interface Shop {
  app: FastifyInstance
  database: Database
  write: Write
  writeFromOtherProcess: Write
  clock: TestClock
  dataDir: string
  mails: Mail[]
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  request(options: InjectOptions): Promise<Reply>
  addToCatalog(draft: CatalogDraft): Promise<void>
  deliverMails(): Promise<void>
  close(): Promise<void>
}

export interface ShopOptions extends CatalogDraft {
  clock?: TestClock
  mail?: MailGateway
  config?: Partial<Config>
  randomInt?: RandomInt
  logTarget?: Deps['logTarget']
  gateway?: PaymentGateway
  objects?: Deps['objects']
  /** If set, the shop uses the database, clock and data folder of `publishing`. */
  publishing?: Publisher
  database?: TestDatabase
}

export async function openShop(engine: Engine, options: ShopOptions = {}): Promise<Shop> {
  const { publishing, randomInt, logTarget, gateway } = options
  const { clock = testClock() } = options
  const {
    database,
    write,
    close: closeDatabase
  } = publishing
    ? { ...publishing.deps, close: async () => undefined }
    : (options.database ?? (await openDatabase(engine)))
  const dataDir = await mkdtemp(join(tmpdir(), 'palagaram-shop-'))
  // The shop would create them durably, which takes 5 ms.
  for (const name of ['codes', 'sandbox'])
    await writeFile(join(dataDir, `${name}.secret`), SECRET, { mode: 0o600 })
  const env = {
    DATA_DIR: publishing?.deps.config.dataDir ?? dataDir,
    LOG_LEVEL: logTarget ? 'debug' : 'silent'
  }
  const config = { ...readConfig(env), ...options.config }
  await write(trx => registerShop(trx, config.siteUrl, clock()))
  await write(trx => addToCatalog(trx, options, clock()))
  // Real Argon2 with cheap parameters.
  const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
  const site = publishing && { site: publishing.deps, publishing }
  const optionalDeps = {
    ...site,
    ...(randomInt && { randomInt }),
    ...(logTarget && { logTarget }),
    ...(gateway && { gateway }),
    objects: options.objects
  }
  const mails: Mail[] = []
  const mail = options.mail ?? { send: async sent => void mails.push(sent) }
  const app = await buildApp({ config, database, write, clock, passwords, mail, ...optionalDeps })
  let isOpen = true

  async function close(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await app.close()
    await closeDatabase()
    await rm(dataDir, { recursive: true, force: true })
  }

  onTestFinished(close)
  return {
    app,
    database,
    write: app.write,
    writeFromOtherProcess: write,
    clock,
    dataDir,
    mails,
    get: (path, headers = {}) => inject(app, { url: `/api${path}`, headers }),
    post: (path, body, headers = {}) =>
      inject(app, {
        method: 'POST',
        url: `/api${path}`,
        payload: body as NonNullable<InjectOptions['payload']>,
        headers
      }),
    request: request => inject(app, request),
    addToCatalog: draft => app.write(trx => addToCatalog(trx, draft, clock())),
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

async function inject(app: FastifyInstance, request: InjectOptions): Promise<Reply> {
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
