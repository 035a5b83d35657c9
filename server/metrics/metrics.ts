import type { FastifyInstance } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Histogram } from 'prom-client'
import { ShopError } from '#lib/errors.ts'
import { type EpochMs, MINUTE, SECOND, toIso } from '#lib/time.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db } from '../platform/db/tables.ts'
import { withTimeout } from '../platform/process/work-queue.ts'
import type { PaymentGateway } from '../razorpay/client.ts'

const DATABASE_TIMEOUT = 2 * SECOND
/** In seconds. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Serves `/metrics` if METRICS_TOKEN is set. Returns a gateway whose calls are measured. */
export async function addMetrics(
  app: FastifyInstance,
  gateway: PaymentGateway
): Promise<PaymentGateway> {
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
    // The path of the route, because each value of a label makes a time series.
    const labels = { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }
    requests.observe(labels, reply.elapsedTime / SECOND)
  })

  const gauges = Object.entries(GAUGES).map(([name, help]) => ({
    name,
    gauge: new Gauge({ name, help, registers })
  }))
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!hasToken(request.headers.authorization, token)) throw new ShopError('NOT_FOUND')
    const { kysely } = app.database
    const reading = withTimeout(DATABASE_TIMEOUT, readState(kysely, app.clock()))
    const state: ShopState = await reading.catch(() => ({}))
    for (const { name, gauge } of gauges) gauge.set(state[name] ?? NaN)
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

function measureCalls(
  gateway: PaymentGateway,
  calls: Histogram<'call' | 'outcome'>
): PaymentGateway {
  const measured = Object.entries(gateway).map(([name, call]) => {
    const measure: Call = async (...input) => {
      const stop = calls.startTimer({ call: name })
      let outcome = 'error'
      try {
        const result = await (call as Call)(...input)
        outcome = 'ok'
        return result
      } finally {
        stop({ outcome })
      }
    }
    return [name, measure]
  })
  return Object.fromEntries(measured) as PaymentGateway
}

function hasToken(authorization: string | undefined, token: string) {
  // Hashes have the same length, which the comparison needs.
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization ?? ''), hash(`Bearer ${token}`))
}

const GAUGES = {
  shop_outbox_waiting: 'Mails that wait to be sent',
  shop_outbox_oldest_seconds: 'Age of the oldest mail that waits to be sent',
  shop_reservations_open: 'Unpaid checkouts that reserve stock',
  shop_refunds_open: 'Refunds that the provider has not confirmed yet',
  shop_webhooks_waiting: 'Webhooks that wait for a lookup for more than a minute',
  shop_publish_seconds: 'Duration of the last publish that went live',
  shop_publish_live_timestamp_seconds: 'Time at which the last publish went live',
  shop_publish_failed: '1 if the newest publish has failed, otherwise 0'
} as const

type ShopState = Partial<Record<string, number>>

async function readState(db: Db, now: EpochMs): Promise<ShopState> {
  const waiting = db.selectFrom('outbox').where('state', '=', 'waiting')
  const minuteAgo = toIso(now - MINUTE)
  const [mails, oldest, reservations, refunds, webhooks, publishes] = await Promise.all([
    countRows(waiting),
    waiting.select(({ fn }) => fn.min('created_at').as('at')).executeTakeFirst(),
    countRows(db.selectFrom('orders').where('payment_state', '=', 'awaiting')),
    countRows(db.selectFrom('refunds').where('state', 'in', ['due', 'sent'])),
    countRows(db.selectFrom('webhook_events').where('next_at', '<', minuteAgo)),
    db
      .selectFrom('publishes')
      .select(['state', 'started_at', 'ended_at'])
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .execute()
  ])
  const live = publishes.find(({ state }) => state === 'live')
  const endedAt = Date.parse(live?.ended_at ?? '')
  return {
    shop_outbox_waiting: mails,
    shop_outbox_oldest_seconds: oldest?.at ? (now - Date.parse(oldest.at)) / SECOND : 0,
    shop_reservations_open: reservations,
    shop_refunds_open: refunds,
    shop_webhooks_waiting: webhooks,
    ...(live?.started_at && {
      shop_publish_seconds: (endedAt - Date.parse(live.started_at)) / SECOND,
      shop_publish_live_timestamp_seconds: endedAt / SECOND
    }),
    shop_publish_failed: publishes[0]?.state === 'failed' ? 1 : 0
  }
}
