import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyRequest
} from 'fastify'
import { existsSync } from 'node:fs'
import { type SandboxKeys, RazorpayError, serverError } from './objects.ts'
import { runMaintenance } from './payments.ts'
import { apiRoutes, checkoutRoutes } from './routes.ts'
import { openStore, type Behaviour, type Provider, type Store } from './store.ts'
import { createWebhookSender, postByHttp, type Post, type WebhookSender } from './webhooks.ts'

export interface SandboxOptions {
  file: string
  durable?: boolean
  keys: SandboxKeys
  webhookUrl: string
  clock?: () => number
  events?: readonly string[]
  /** Delay before the first retry of a webhook, in ms. */
  firstRetryDelay?: number
  post?: Post
  /** Sends webhooks only when `deliver` is called. */
  manualDelivery?: boolean
  behaviour?: Behaviour
  /** Adds routes and hooks before its own. Tests use it to control the sandbox. */
  extend?: (app: FastifyInstance, provider: Provider, webhooks: WebhookSender) => void
}

export interface Sandbox {
  plugin: FastifyPluginAsync
  /** Sends due webhooks and waits for the answers. A listening server sends them automatically. */
  deliver(): Promise<void>
}

const REGULAR: Behaviour = {
  planDelivery: () => ({ copies: 1, delay: 0 }),
  willRefundFail: () => false
}
const CHECK_INTERVAL_MS = 500

export function createSandbox(options: SandboxOptions): Sandbox {
  const { file, durable = true, firstRetryDelay = 5000, post = postByHttp } = options
  let store: Store | undefined
  let log: FastifyBaseLogger | undefined
  let timer: NodeJS.Timeout | undefined
  const provider: Provider = {
    // Opened by the first call, so that a shop without payments has no file.
    get store() {
      return (store ??= openStore(file, durable, () => log && webhooks.sendDue()))
    },
    keys: options.keys,
    clock: options.clock ?? Date.now,
    events: options.events,
    behaviour: options.behaviour ?? REGULAR
  }
  const webhooks = createWebhookSender(provider, {
    url: options.webhookUrl,
    post,
    firstRetryDelay,
    log: () => log
  })

  async function check(): Promise<void> {
    if (!store && !existsSync(file)) return
    await runMaintenance(provider)
    webhooks.sendDue()
  }

  return {
    async plugin(app) {
      configure(app)
      options.extend?.(app, provider, webhooks)
      await app.register(async scope => apiRoutes(scope, provider), { prefix: '/v1' })
      await app.register(async scope => checkoutRoutes(scope, provider), { prefix: '/v1' })
      app.addHook('onListen', async () => {
        if (options.manualDelivery) return
        log = app.log
        const warn = (err: unknown): void => app.log.warn({ err }, 'The sandbox failed, will retry')
        timer = setInterval(() => void check().catch(warn), CHECK_INTERVAL_MS).unref()
      })
      app.addHook('preClose', async () => {
        clearInterval(timer)
        log = undefined
        await webhooks.stop()
      })
      app.addHook('onClose', async () => store?.close())
    },
    async deliver() {
      await check()
      await webhooks.idle()
    }
  }
}

function configure(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async ({ headers }: FastifyRequest, text: string) =>
      headers['content-type']?.includes('urlencoded')
        ? Object.fromEntries(new URLSearchParams(text))
        : readJson(text)
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.addHook('preHandler', async request => {
    request.body ??= {}
  })
  app.setNotFoundHandler(async () => {
    throw new RazorpayError('The requested URL was not found on the server.')
  })
  app.setErrorHandler(async (error, request, reply) => {
    const { status, body } = error instanceof RazorpayError ? error : serverError()
    if (status >= 500) request.log.error(error)
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    throw new RazorpayError('The request could not be understood by the server.')
  }
}
