import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Clock } from '../../platform/process/clock.ts'
import type { SandboxKeys } from '../payment-settings.ts'
import { apiRoutes } from './api.ts'
import { checkoutRoutes } from './checkout.ts'
import { controlRoutes } from './control.ts'
import { createWebhookSender, postByHttp, type Post } from './webhook-sender.ts'
import { createFaults } from './faults.ts'
import type { EventName } from './provider/entities.ts'
import { refundUncaptured } from './provider/payments.ts'
import { NO_FAULTS, type Provider } from './provider/provider.ts'
import { failPendingRefunds } from './provider/refunds.ts'
import { unknownUrlError, RazorpayError, serverError, malformedRequestError } from './provider/errors.ts'
import { openStore, type Store } from './provider/store.ts'

export interface SandboxOptions {
  file: string
  durable?: boolean
  keys: SandboxKeys
  webhookUrl: string
  clock: Clock
  random?: () => number
  events?: readonly EventName[]
  /** Delay before the first retry of a webhook, in ms. */
  firstRetryDelay?: number
  post?: Post
  /** Sends webhooks only when `deliver` is called. */
  manualDelivery?: boolean
  /** Adds the API under `/_emu` that controls the sandbox, for example its faults. */
  control?: boolean
}

export interface Sandbox {
  plugin: FastifyPluginAsync
  /** Sends due webhooks and waits for the answers. A listening server sends them automatically. */
  deliver(): Promise<void>
}

export const DEFAULT_EVENTS: readonly EventName[] = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'order.paid',
  'refund.processed',
  'refund.failed'
]

/** Emulates Razorpay: calls, signatures, webhooks and the checkout dialog. No money moves. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { file, durable = true, control = false, random = systemRandom, firstRetryDelay = 5 * SECOND } = options
  const faults = control ? createFaults(random) : undefined
  let store: Store | undefined
  const provider: Provider = {
    get store() {
      return (store ??= openStore({ path: file, durable, onCommit: () => webhooks.wake() }))
    },
    keys: options.keys,
    clock: options.clock,
    random,
    events: new Set(options.events ?? DEFAULT_EVENTS),
    faults: faults ?? NO_FAULTS
  }
  const webhooks = createWebhookSender({
    provider,
    url: options.webhookUrl,
    post: options.post ?? postByHttp,
    firstRetryDelay
  })
  let timer: NodeJS.Timeout | undefined

  async function runMaintenance(): Promise<void> {
    if (!store) return
    await refundUncaptured(provider)
    await failPendingRefunds(provider)
  }

  function start({ log }: FastifyInstance): void {
    if (!options.manualDelivery) webhooks.start(log)
    // Sends the events that the previous process did not send. Before the first payment, the file does not exist.
    if (existsSync(file)) webhooks.wake()
    const warnFailed = (error: unknown): void => log.warn({ err: error }, 'Sandbox maintenance failed')
    timer = setInterval(() => void runMaintenance().catch(warnFailed), control ? SECOND : MINUTE)
    timer.unref()
  }

  return {
    async plugin(app) {
      configure(app)
      await app.register(async scope => apiRoutes(scope, provider, faults), { prefix: '/v1' })
      await app.register(async scope => checkoutRoutes(scope, provider), { prefix: '/v1' })
      if (faults)
        await app.register(async scope => controlRoutes(scope, provider, faults, webhooks), { prefix: '/_emu' })
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

function configure(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    body.trim() === '' ? {} : parseJson(body)
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
    const refusal =
      error instanceof RazorpayError ? error : (error.statusCode ?? 500) < 500 ? malformedRequestError() : serverError()
    if (refusal.status >= 500) request.log.error(error)
    return reply.code(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(refusal.body))
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedRequestError()
  }
}

function systemRandom(): number {
  return randomInt(2 ** 47) / 2 ** 47
}
