import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { FAILPOINTS, type Failpoint } from '#server/platform/process/failpoints.ts'
import type { Database } from '#server/platform/db/connect.ts'
import type { RandomInt } from '#server/platform/process/secret.ts'
import { pick, seededInt } from '../../support/random.ts'
import { buyUntilClosed } from './buyers.ts'
import { runUntilIdle } from './run-until-idle.ts'
import { findViolations } from './violations.ts'
import { newObservations, type Observations } from './buyer-calls.ts'
import { openEnvironment, type EnvironmentOptions, type TestEnvironment } from './environment.ts'
import { rethrowUnlessRefused } from './provider.ts'

export interface RoundOptions extends Pick<EnvironmentOptions, 'engine' | 'postgres' | 'shops'> {
  /** Makes buyers, faults and delays repeatable, but not the order of concurrent calls. */
  seed: number
  kills: number
  points?: readonly Failpoint[]
  buyers?: number
  webhooks?: boolean
}

export interface RoundResult {
  crashes: Record<Failpoint, number>
  paid: number
  replies: Record<string, number>
  violations: string[]
}

const BUYERS = 12
const MAX_WAIT_FOR_EXIT_MS = 60_000

/** Probability of each fault. Names that end in `Ms` are delays in ms. */
const FAULTS = {
  errorBefore: 0.04,
  errorAfter: 0.04,
  tooMany: 0.02,
  html: 0.01,
  loseAnswer: 0.03,
  hang: 0.002,
  slow: 0.05,
  slowMs: 600,
  refundFail: 0.03,
  dropWebhook: 0.2,
  duplicateWebhook: 0.4,
  delayWebhook: 0.1,
  delayMs: 60_000,
  shuffleMs: 24_000
}

/**
 * Kills servers while buyers check out and the provider fails, then lets all jobs finish and checks
 * the result.
 */
export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { seed, buyers = BUYERS, webhooks = true } = options
  const env = await openEnvironment(options)
  const observed = newObservations()
  const random = seededInt(seed)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const shopping: Promise<void>[] = []
  try {
    await Promise.all(env.servers.map(server => server.start()))
    await env.provider.setFaults({ ...FAULTS, seed, ...(!webhooks && { dropWebhook: 1 }) })
    for (let buyer = 0; buyer < buyers; buyer++) {
      shopping.push(buyUntilClosed(env, seed * 1000 + buyer, observed, closing.signal))
    }
    const crashes = await killRepeatedly(env, random, options)
    closing.abort()
    await Promise.all(shopping)
    const result = await finishRound(env, observed, random)
    return { ...result, crashes, replies: Object.fromEntries(observed.replies) }
  } finally {
    closing.abort()
    await Promise.allSettled(shopping)
    await env.close()
  }
}

async function killRepeatedly(
  env: TestEnvironment,
  random: RandomInt,
  { kills, points = [], webhooks = true }: RoundOptions
): Promise<Record<Failpoint, number>> {
  const crashes = Object.fromEntries(FAILPOINTS.map(point => [point, 0])) as Record<
    Failpoint,
    number
  >
  await wait(random(500, 1500))
  for (let kill = 0; kill < kills; kill++) {
    const server = pick(env.servers, random)
    await server.kill()
    // Sometimes the server is killed again while it is starting.
    if (random(0, 8) === 0 && ++kill < kills) {
      server.launch()
      await wait(random(0, 2000))
      await server.kill()
    }
    await server.start()
    if (random(0, 6) === 0) await env.provider.restart(random(0, 1500))
    await wait(random(150, 2500))
  }
  // Only the server that receives webhooks reaches all failpoints.
  const server = env.webhookTarget
  for (const name of points) {
    // Without webhooks, no server reaches this failpoint.
    if (name === 'webhook-stored' && !webhooks) continue
    await server.kill()
    server.launch({ name, pass: random(1, 4) })
    if (await server.waitForExit(MAX_WAIT_FOR_EXIT_MS)) crashes[name]++
  }
  if (points.length > 0) {
    await server.kill()
    await server.start()
  }
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
  await env.provider.replayWebhooks()
  await env.provider.waitForWebhooks(3000)
  const codes = await Promise.all(env.servers.map(server => server.stop()))
  const database = env.open()
  try {
    const first = await runUntilIdle(env, database, env.clock())
    for (const order of observed.latePayments)
      await env.provider.pay(order).catch(rethrowUnlessRefused)
    for (const payment of observed.lateConfirmations)
      await env.provider.completePayment(payment, 'paid').catch(rethrowUnlessRefused)
    const last = await runUntilIdle(env, database, first.at)
    const violations = [
      ...codes.flatMap(code => (code === 0 ? [] : [`A server exited with ${code} on SIGTERM`])),
      ...first.violations,
      ...last.violations,
      ...(await findViolations(env, database, last.at, observed))
    ]
    return { violations, paid: await countPaid(database) }
  } finally {
    await database.close()
  }
}

async function countPaid({ kysely }: Database): Promise<number> {
  const paid = await kysely
    .selectFrom('orders')
    .select('id')
    .where('payment_state', '=', 'paid')
    .execute()
  return paid.length
}
