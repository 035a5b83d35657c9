import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { SandboxKeys } from '../payment-settings.ts'
import { apiRoutes } from './api.ts'
import { checkoutRoutes } from './checkout.ts'
import { controlRoutes } from './control.ts'
import { createCourier, postByHttp, type Post } from './courier.ts'
import { createFaults } from './faults.ts'
import type { EventName } from './provider/entities.ts'
import { returnUncollected } from './provider/payments.ts'
import { NO_FAULTS, type Provider } from './provider/provider.ts'
import { failPendingRefunds } from './provider/refunds.ts'
import { noSuchUrl, Refusal, serverError, unreadable } from './provider/refusal.ts'
import { openStore, type Store } from './provider/store.ts'

export interface SandboxOptions {
  /** Its own SQLite file, made when it is first needed. */
  file: string
  /** Whether what was answered survives a loss of power. */
  durable?: boolean
  keys: SandboxKeys
  /** The shop's webhook. */
  webhookUrl: string
  clock: Clock
  /** From 0 to 1, 1 excluded. */
  random?: () => number
  /** What the webhook is told of. */
  events?: readonly EventName[]
  /** Until a webhook that was not taken is sent again for the first time, in ms. */
  firstPause?: number
  post?: Post
  /** Webhooks wait for `deliver`. */
  patient?: boolean
  /** Whether `/_emu` is there. */
  control?: boolean
}

export interface Sandbox {
  plugin: FastifyPluginAsync
  /** Sends the webhooks that are due and waits for the answers; once its server listens the sandbox does so by itself. */
  deliver(): Promise<void>
}

export const USUAL_EVENTS: readonly EventName[] = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'order.paid',
  'refund.processed',
  'refund.failed'
]

/** The payment provider's emulator: its calls, signatures and webhooks, and a checkout dialog. No money moves. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { file, durable = true, control = false, random = unpredictable, firstPause = 5 * SECOND } = options
  const faults = control ? createFaults(random) : undefined
  let opened: Store | undefined
  const provider: Provider = {
    get store() {
      return (opened ??= openStore({ path: file, durable, written: () => courier.wake() }))
    },
    keys: options.keys,
    clock: options.clock,
    random,
    tells: new Set(options.events ?? USUAL_EVENTS),
    luck: faults ?? NO_FAULTS
  }
  const courier = createCourier({ provider, url: options.webhookUrl, post: options.post ?? postByHttp, firstPause })
  let timer: NodeJS.Timeout | undefined

  /** What happens at a provider by the passing of time. */
  async function tidy(): Promise<void> {
    if (!opened) return
    await returnUncollected(provider)
    await failPendingRefunds(provider)
  }

  function start({ log }: FastifyInstance): void {
    if (!options.patient) courier.start(log)
    // What is still to be told from before the start. A shop in which nobody has paid yet has no file.
    if (existsSync(file)) courier.wake()
    const failed = (error: unknown): void => log.warn({ err: error }, 'The sandbox could not tidy up')
    timer = setInterval(() => void tidy().catch(failed), control ? SECOND : MINUTE)
    timer.unref()
  }

  return {
    async plugin(app) {
      prepare(app)
      await app.register(async scope => apiRoutes(scope, provider, faults), { prefix: '/v1' })
      await app.register(async scope => checkoutRoutes(scope, provider), { prefix: '/v1' })
      if (faults)
        await app.register(async scope => controlRoutes(scope, provider, faults, courier), { prefix: '/_emu' })
      app.addHook('onListen', async () => start(app))
      app.addHook('preClose', async () => {
        clearInterval(timer)
        await courier.stop()
      })
      app.addHook('onClose', async () => opened?.close())
    },
    async deliver() {
      await tidy()
      await courier.deliver()
    }
  }
}

/** Bodies and failures as the provider has them. */
function prepare(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    body.trim() === '' ? {} : asJson(body)
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body))
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.setNotFoundHandler(async () => Promise.reject(noSuchUrl()))
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const refusal = error instanceof Refusal ? error : (error.statusCode ?? 500) < 500 ? unreadable() : serverError()
    if (refusal.status >= 500) request.log.error(error)
    return reply.code(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(refusal.body))
  })
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable()
  }
}

function unpredictable(): number {
  return randomInt(2 ** 47) / 2 ** 47
}
