import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import {
  processWebhookEvents,
  reconcilePayments,
  reconcileRecent,
  sendRefunds
} from '#server/orders/payment/jobs.ts'
import type { Database } from '#server/platform/db/connect.ts'
import type { Db } from '#server/platform/db/tables.ts'
import { FAILPOINTS, type Failpoint } from '#server/platform/process/failpoints.ts'
import type { RandomInt } from '#server/platform/process/secret.ts'
import { PaymentError } from '#server/razorpay/client.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { violations } from '../support/invariants.ts'
import { pick, seededInt } from '../support/random.ts'
import { buyUntilClosed, newObservations, type Observations } from './rounds/buyers.ts'
import { openEnvironment, type TestEnvironment } from './rounds/environment.ts'
import { rethrowUnlessRefused } from './rounds/provider.ts'
import { INITIAL_STOCK } from './rounds/seed.ts'

/** `npm run faults` sets it. Then, each round has more kills, and crashes at all failpoints. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 0)

const SHORT_ROUND: Record<Engine, { shops: number; points: readonly Failpoint[] }> = {
  sqlite: {
    shops: 1,
    points: ['after-provider', 'settle-precommit', 'webhook-stored', 'after-refund']
  },
  postgres: { shops: 2, points: ['settle-precommit'] }
}

test.for(ENGINES)(
  'no order, payment or stock is lost or duplicated after kills and crashes at failpoints on %s',
  { timeout: 10 * MINUTE * Math.max(1, ROUNDS) },
  async engine => {
    for (let round = 0; round < Math.max(1, ROUNDS); round++) {
      const long = { kills: 20, points: FAILPOINTS, shops: 1 + (round % 2), buyers: 12 }
      const short = { kills: 1, ...SHORT_ROUND[engine], buyers: 2 }
      const options = ROUNDS > 0 ? long : short
      const result = await runRound({ engine, seed: 2 + round, ...options })
      expect(result.violations).toEqual([])
      expect(result.paid).toBeGreaterThan(0)
      // A long round may end before a rare failpoint is reached.
      if (ROUNDS === 0) expect(result.crashes).toEqual(options.points)
    }
  }
)

interface RoundOptions {
  engine: Engine
  shops: number
  /** Makes buyers, faults and delays repeatable, but not the order of concurrent calls. */
  seed: number
  kills: number
  points: readonly Failpoint[]
  buyers: number
}

/** Probability of each fault. `shuffleMs` is a delay in ms. */
const FAULTS = {
  errorBefore: 0.04,
  errorAfter: 0.04,
  tooMany: 0.02,
  html: 0.01,
  loseAnswer: 0.03,
  hang: 0.002,
  refundFail: 0.03,
  dropWebhook: 0.2,
  duplicateWebhook: 0.4,
  shuffleMs: 24_000
}

/**
 * Kills servers while buyers check out and the provider fails, then lets all jobs finish and checks
 * the result.
 */
async function runRound(options: RoundOptions) {
  const { seed, buyers } = options
  const env = await openEnvironment(options)
  const observed = newObservations()
  const random = seededInt(seed)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  let shopping: Promise<void>[] = []
  try {
    await Promise.all(env.servers.map(server => server.start()))
    await env.provider.setFaults({ ...FAULTS, seed })
    shopping = Array.from({ length: buyers }, (_, buyer) =>
      buyUntilClosed(env, seed * 1000 + buyer, observed, closing.signal)
    )
    const crashes = await killRepeatedly(env, random, options)
    closing.abort()
    await Promise.all(shopping)
    return { crashes, ...(await finishRound(env, observed, random)) }
  } finally {
    closing.abort()
    await Promise.allSettled(shopping)
    await env.close()
  }
}

/** Returns the failpoints at which the server crashed. */
async function killRepeatedly(
  env: TestEnvironment,
  random: RandomInt,
  { kills, points }: RoundOptions
) {
  const crashes: Failpoint[] = []
  await wait(random(500, 1500))
  for (let kill = 0; kill < kills; kill++) {
    const server = pick(env.servers, random)
    await server.kill()
    await server.start()
    await wait(random(150, 2500))
  }
  // Only the server that receives webhooks reaches all failpoints.
  const server = env.webhookTarget
  for (const name of points) {
    await server.kill()
    server.launch({ name, pass: random(1, 4) })
    if (await server.waitForExit(MINUTE)) crashes.push(name)
  }
  await server.kill()
  await server.start()
  return crashes
}

async function finishRound(
  env: TestEnvironment,
  observed: Observations,
  random: RandomInt
): Promise<{ violations: string[]; paid: number }> {
  await env.provider.setFaults({})
  for (const payment of observed.pendingPayments) {
    await env.provider
      .completePayment(payment, random(0, 2) === 0 ? 'paid' : 'failed')
      .catch(rethrowUnlessRefused)
  }
  await env.provider.waitForWebhooks(3000)
  const codes = await Promise.all(env.servers.map(server => server.stop()))
  const first = await runUntilIdle(env, env.clock())
  for (const order of observed.latePayments)
    await env.provider.pay(order).catch(rethrowUnlessRefused)
  const last = await runUntilIdle(env, first.at)
  const { kysely } = env.store.database
  const paid = kysely.selectFrom('orders').select('id').where('payment_state', '=', 'paid')
  return {
    violations: [
      ...codes.flatMap(code => (code === 0 ? [] : [`A server exited with ${code} on SIGTERM`])),
      ...first.violations,
      ...last.violations,
      ...(await findViolations(env, last.at, observed))
    ],
    paid: (await paid.execute()).length
  }
}

const START_DELAY = 5 * MINUTE
const STEP = 10 * MINUTE
/** Reservations with a verified payment last up to three days. */
const MAX_DURATION = 80 * HOUR

/**
 * Runs the payment jobs on a simulated clock until no work is left. `at` is the simulated time in
 * ms.
 */
async function runUntilIdle(
  { settings, store: { database, write } }: TestEnvironment,
  from: number
): Promise<{ at: number; violations: string[] }> {
  let now = from + START_DELAY
  const violations: string[] = []
  const config = readConfig({ ...settings, LOG_LEVEL: 'silent' })
  const app = await buildApp({ config, database, write, clock: () => now })
  // Killed servers leave leases, which end by the database's clock and not by the simulated one.
  await database.kysely.deleteFrom('leases').execute()
  try {
    for (; now < from + MAX_DURATION; now += STEP) {
      for (const work of [processWebhookEvents, reconcilePayments, reconcileRecent, sendRefunds]) {
        await work(app, 'test jobs').catch((error: unknown) => {
          if (!(error instanceof PaymentError))
            violations.push(`Payment job failed: ${String(error)}`)
        })
      }
      // At least one simulated hour, because unreported payments are found only in the provider's
      // list of payments.
      if (now > from + HOUR && (await isIdle(database))) return { at: now, violations }
    }
    return {
      at: now,
      violations: [...violations, 'I8 payments or refunds are still open after three days']
    }
  } finally {
    await app.close()
  }
}

async function isIdle({ kysely: db }: Database) {
  const openWork = await Promise.all([
    db.selectFrom('orders').select('id').where('payment_state', '=', 'awaiting').execute(),
    db.selectFrom('refunds').select('id').where('state', 'in', ['due', 'sent']).execute(),
    db.selectFrom('webhook_events').select('id').where('next_at', 'is not', null).execute()
  ])
  return openWork.every(rows => rows.length === 0)
}

async function findViolations(
  { servers, provider, store: { database } }: TestEnvironment,
  settledAt: number,
  observed: Observations
) {
  const expected = { initial: INITIAL_STOCK, provider: provider.records(), settledAt }
  return [
    ...observed.violations,
    ...servers.flatMap(server => server.loggedErrors().map(line => `Server error: ${line}`)),
    ...(await violations(database, expected)),
    ...(await findBrokenPromises(database.kysely, observed))
  ]
}

/** What the shop opened or confirmed for a buyer must still be known after crashes. */
async function findBrokenPromises(db: Db, { opened, confirmed }: Observations) {
  const orders = await db.selectFrom('orders').selectAll().execute()
  const byId = new Map(orders.map(order => [order.id, order]))
  // Checkouts that ended without a payment are deleted.
  const deleted = await db.selectFrom('deleted_checkouts').selectAll().execute()
  const found: string[] = []
  for (const [id, { buyer, providerOrder }] of opened) {
    const known =
      byId.get(id) ?? deleted.find(({ provider_order_id }) => provider_order_id === providerOrder)
    if (known?.user_id !== buyer || known.provider_order_id !== providerOrder)
      found.push(`Order ${id} was opened but is now ${JSON.stringify(known)}`)
  }
  for (const [id, payment] of confirmed) {
    const order = byId.get(id)
    const isPaid = /^(paid|refund_due|refunded)$/.test(order?.payment_state ?? '')
    if (!isPaid || order?.paid_payment_id !== payment)
      found.push(`Order ${id} was confirmed for ${payment} but is now ${JSON.stringify(order)}`)
  }
  return found
}
