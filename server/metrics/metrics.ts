import type { FastifyInstance } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Histogram } from 'prom-client'
import { ShopError } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import { withTimeout } from '../platform/process/work-queue.ts'
import type { PaymentGateway } from '../razorpay/client.ts'
import { GAUGES, readState, type ShopState } from './queries.ts'

/** In ms. After it, the reply contains only the metrics of this process, and NaN for those of the shop. */
const DATABASE_TIMEOUT = 2 * SECOND
/** In seconds. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Serves metrics at `/metrics` in the format of Prometheus, to clients that send METRICS_TOKEN as bearer token. Does
 * nothing without this setting. Returns a gateway whose calls are measured.
 */
export async function addMetrics(app: FastifyInstance, gateway: PaymentGateway): Promise<PaymentGateway> {
  const token = app.config.metricsToken
  if (token === undefined) return gateway
  // Imported here, so that shops without metrics don't pay for it in memory.
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers
  })
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    // The path of the route, such as '/api/products/:id', because each value of a label makes a time series.
    const labels = { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }
    requests.observe(labels, reply.elapsedTime / SECOND)
  })

  const gauges = Object.entries(GAUGES).map(([name, help]) => ({ name, gauge: new Gauge({ name, help, registers }) }))
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!hasToken(request.headers.authorization, token)) throw new ShopError('NOT_FOUND')
    const { kysely } = app.database
    const state: ShopState = await withTimeout(DATABASE_TIMEOUT, readState(kysely, app.clock())).catch(() => ({}))
    const values: Partial<Record<string, number>> = state
    for (const { name, gauge } of gauges) gauge.set(values[name] ?? NaN)
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics())
  })

  const calls = new Histogram({
    name: 'shop_provider_call_duration_seconds',
    help: 'Duration of calls to the payment provider, including retries',
    labelNames: ['call', 'outcome'],
    buckets: BUCKETS,
    registers
  })
  return measureCalls(gateway, calls)
}

type Call = (...input: readonly unknown[]) => Promise<unknown>

function measureCalls(gateway: PaymentGateway, calls: Histogram<'call' | 'outcome'>): PaymentGateway {
  const measure =
    (name: string, call: Call): Call =>
    async (...input) => {
      const stop = calls.startTimer({ call: name })
      try {
        const result = await call(...input)
        stop({ outcome: 'ok' })
        return result
      } catch (error) {
        stop({ outcome: 'error' })
        throw error
      }
    }
  const measured = Object.entries(gateway).map(([name, call]) => [name, measure(name, call as Call)])
  return Object.fromEntries(measured) as unknown as PaymentGateway
}

function hasToken(authorization: string | undefined, token: string): boolean {
  // Hashes have the same length, which the comparison needs.
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization ?? ''), hash(`Bearer ${token}`))
}
