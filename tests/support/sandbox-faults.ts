import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { RazorpayError, serverError } from '../../sandbox/objects.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts'
import type { Behaviour } from '../../sandbox/store.ts'
import { seededRandom } from './random.ts'
import { controlRoutes } from './sandbox-control.ts'

/**
 * With `errorAfter` and `loseAnswer`, the call takes effect before the fault. Otherwise, the call
 * has no effect.
 */
type Fault = 'errorBefore' | 'errorAfter' | 'tooMany' | 'html' | 'hang' | 'loseAnswer'

/** Probabilities, and times in ms. */
const NO_FAULTS = {
  errorBefore: 0,
  errorAfter: 0,
  tooMany: 0,
  html: 0,
  hang: 0,
  loseAnswer: 0,
  slow: 0,
  slowMs: 600,
  dropWebhook: 0,
  duplicateWebhook: 0,
  delayWebhook: 0,
  delayMs: 5000,
  /** Each webhook is delayed by a random time up to this one, so that they arrive out of order. */
  shuffleMs: 0,
  refundFail: 0
}

/** The same seed gives the same sequence of faults. */
export type FaultSettings = Partial<typeof NO_FAULTS> & { seed?: number }

export interface Faults extends Behaviour {
  /** Settings that are not given are those of a provider without faults. */
  set(settings: FaultSettings): void
  drawFault(): Fault | undefined
  drawDelay(): number
}

const FAULTS: readonly Fault[] = [
  'errorBefore',
  'errorAfter',
  'tooMany',
  'html',
  'hang',
  'loseAnswer'
]
const DIALOG_CALLS = ['/v1/checkout.js', '/v1/preferences', '/v1/payments/create/ajax']
const BAD_GATEWAY =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'

/**
 * Returns a sandbox with calls under `/_emu` that make payments without a browser and inject
 * faults.
 */
export function createFaultySandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  return createSandbox({
    ...options,
    behaviour: faults,
    extend(app, provider, webhooks) {
      addFaults(app, faults)
      app.register(async scope => controlRoutes(scope, provider, faults, webhooks), {
        prefix: '/_emu'
      })
    }
  })
}

function createFaults(): Faults {
  let settings = NO_FAULTS
  let random = Math.random
  const happens = (probability: number): boolean => probability > 0 && random() < probability

  return {
    set({ seed, ...changes }) {
      settings = { ...NO_FAULTS, ...changes }
      random = seed === undefined ? Math.random : seededRandom(seed)
    },
    drawFault: () => FAULTS.find(name => happens(settings[name])),
    drawDelay: () => (happens(settings.slow) ? settings.slowMs : 0),
    planDelivery() {
      if (happens(settings.dropWebhook)) return undefined
      const copies = happens(settings.duplicateWebhook) ? 2 : 1
      const delay = happens(settings.delayWebhook) ? settings.delayMs : 0
      return { copies, delay: Math.round(delay + random() * settings.shuffleMs) }
    },
    willRefundFail: () => happens(settings.refundFail)
  }
}

/** Faults happen only in the provider's API, and only after the key was checked. */
function addFaults(app: FastifyInstance, faults: Faults): void {
  const drawn = new WeakMap<FastifyRequest, Fault>()

  app.addHook('preHandler', async (request, reply) => {
    const { url = '' } = request.routeOptions
    if (!/\/v1\//.test(url) || DIALOG_CALLS.some(call => url.endsWith(call))) return undefined
    const delay = faults.drawDelay()
    if (delay > 0) await sleep(delay)
    const fault = faults.drawFault()
    if (fault === 'errorBefore') throw serverError()
    if (fault === 'tooMany') throw new RazorpayError('Too many requests', {}, 429)
    if (fault === 'html') return reply.code(502).type('text/html').send(BAD_GATEWAY)
    if (fault === 'hang') return reply.hijack()
    if (fault) drawn.set(request, fault)
    return undefined
  })

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const fault = drawn.get(request)
    if (fault === 'loseAnswer') request.raw.socket.destroy()
    if (fault !== 'errorAfter') return payload
    const { status, body } = serverError()
    reply.code(status).removeHeader('content-length')
    return JSON.stringify(body)
  })
}
