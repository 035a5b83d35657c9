import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE, SECOND } from '#lib/time.ts'
import { toLocalApiUrl } from '../../config.ts'
import { parseJson } from '../../platform/http/validate.ts'
import type { Clock } from '../../platform/process/clock.ts'
import { readSandboxKeys, type SandboxKeys } from '../settings.ts'
import { apiRoutes } from './api.ts'
import { checkoutRoutes } from './checkout.ts'
import { failPendingRefunds, refundUncaptured } from './payments.ts'
import {
  EVENTS,
  type EventName,
  malformedRequestError,
  RazorpayError,
  serverError,
  unknownUrlError
} from './protocol.ts'
import { type Behaviour, openStore, type Provider, type Store } from './store.ts'
import { createWebhookSender, type Post, postByHttp, type WebhookSender } from './webhooks.ts'

export interface SandboxOptions {
  file: string
  durable?: boolean
  keys: SandboxKeys
  webhookUrl: string
  clock: Clock
  events?: readonly EventName[]
  /** Delay before the first retry of a webhook, in ms. */
  firstRetryDelay?: number
  post?: Post
  /** Sends webhooks only when `deliver` is called. */
  manualDelivery?: boolean
  behaviour?: Behaviour
  /**
   * Adds routes and hooks to the sandbox's server, before its own routes. Tests use it to control
   * the sandbox.
   */
  extend?: (app: FastifyInstance, provider: Provider, webhooks: WebhookSender) => void
  /** Time in ms between checks for refunds that fail and authorised payments that expire. */
  maintenanceInterval?: number
}

export interface Sandbox {
  plugin: FastifyPluginAsync
  /** Sends due webhooks and waits for the answers. A listening server sends them automatically. */
  deliver(): Promise<void>
}

const REGULAR_BEHAVIOUR: Behaviour = {
  planDelivery: () => ({ copies: 1, delay: 0 }),
  willRefundFail: () => false
}

const WEBHOOK_PATH = '/payments/razorpay-webhook'

/** Emulates Razorpay: calls, signatures, webhooks and the checkout dialog. No money moves. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { file, durable = true, firstRetryDelay = 5 * SECOND } = options
  const { behaviour = REGULAR_BEHAVIOUR, maintenanceInterval = MINUTE } = options
  let store: Store | undefined
  const provider: Provider = {
    get store() {
      return (store ??= openStore({ path: file, durable, onCommit: () => webhooks.wake() }))
    },
    keys: options.keys,
    clock: options.clock,
    events: new Set(options.events ?? EVENTS),
    behaviour
  }
  const { webhookUrl: url, post = postByHttp } = options
  const webhooks = createWebhookSender({ provider, url, post, firstRetryDelay })
  let timer: NodeJS.Timeout | undefined

  async function runMaintenance(): Promise<void> {
    if (!store) return
    await refundUncaptured(provider)
    await failPendingRefunds(provider)
  }

  function start({ log }: FastifyInstance): void {
    if (!options.manualDelivery) webhooks.start(log)
    // Sends the events that the previous process did not send. Before the first payment, the file
    // does not exist.
    if (existsSync(file)) webhooks.wake()
    const warnFailed = (error: unknown): void =>
      log.warn({ err: error }, 'Sandbox maintenance failed')
    timer = setInterval(() => void runMaintenance().catch(warnFailed), maintenanceInterval)
    timer.unref()
  }

  return {
    async plugin(app) {
      configure(app)
      options.extend?.(app, provider, webhooks)
      await app.register(async scope => apiRoutes(scope, provider), { prefix: '/v1' })
      await app.register(async scope => checkoutRoutes(scope, provider), { prefix: '/v1' })
      app.addHook('onListen', async () => start(app))
      app.addHook('preClose', async () => {
        clearInterval(timer)
        await webhooks.stop()
      })
      app.addHook('onClose', async () => store?.close())
    },
    async deliver() {
      await runMaintenance()
      await webhooks.deliver()
    }
  }
}

/** Throws if Razorpay keys are set, so that sandbox payments are never mistaken for real ones. */
export async function mountSandbox(app: FastifyInstance): Promise<void> {
  const { config, clock } = app
  if (config.razorpay) throw new Error('Razorpay keys are set, so the sandbox must not be mounted')
  const { plugin } = createSandbox({
    file: join(config.dataDir, 'sandbox.db'),
    keys: await readSandboxKeys(config.dataDir),
    webhookUrl: `${toLocalApiUrl(config)}${WEBHOOK_PATH}`,
    clock
  })
  await app.register(plugin)
}

function configure(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => {
      const parsed = body.trim() === '' ? {} : parseJson(body)
      if (parsed === undefined) throw malformedRequestError()
      return parsed
    }
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body))
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.setNotFoundHandler(async () => Promise.reject(unknownUrlError()))
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const refusal = toRefusal(error)
    if (refusal.status >= 500) request.log.error(error)
    return reply
      .code(refusal.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(refusal.body))
  })
}

function toRefusal(error: Error & { statusCode?: number }): RazorpayError {
  if (error instanceof RazorpayError) return error
  return (error.statusCode ?? 500) < 500 ? malformedRequestError() : serverError()
}
