import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { FAILPOINTS, type Failpoint } from '#server/failpoints.ts'
import type { Database } from '#server/db/connect.ts'
import type { RandomInt } from '#server/random.ts'
import { seededInt } from '../../support/random.ts'
import { buyOnAndOn } from './buyers.ts'
import { pick } from './calls.ts'
import { settle } from './settle.ts'
import { verdict } from './verdict.ts'
import { newWitness, type Witness } from './witness.ts'
import { openWorld, type World } from './world.ts'
import { ProviderRefusal } from './provider.ts'
import type { TestPostgres } from '../../support/postgres-admin.ts'
import type { Engine } from '../../support/database.ts'

export interface RoundOptions {
  engine: Engine
  postgres?: TestPostgres | undefined
  /** The same seed, the same buyers, faults and pauses; what falls together differs. */
  seed: number
  /** SIGKILLs at random moments. */
  kills: number
  /** Points at which a shop is to die, in this order. */
  points?: readonly Failpoint[]
  buyers?: number
  shops?: number
  /** Whether the provider tells of anything. */
  webhooks?: boolean
}

export interface RoundResult {
  seconds: number
  kills: number
  /** How often a shop died at each point. */
  died: Record<Failpoint, number>
  opened: number
  paid: number
  refunded: number
  /** How often each status was answered; 0: nobody answered. */
  replies: Record<string, number>
  violations: string[]
}

const BUYERS = 12
const LONGEST_WAIT_FOR_DEATH = 60_000

/** What goes wrong by itself: calls of the provider's, and its webhooks, which overtake each other. */
const TROUBLE = {
  ...{ errorBefore: 0.04, errorAfter: 0.04, tooMany: 0.02, html: 0.01, loseAnswer: 0.03, hang: 0.002 },
  ...{ slow: 0.05, slowMs: 600, refundFail: 0.03 },
  ...{ dropWebhook: 0.2, duplicateWebhook: 0.4, delayWebhook: 0.1, delayMs: 60_000, shuffleMs: 24_000 }
}

/** Shops die while people buy, and the provider has its troubles; then everything comes to rest, and is judged. */
export async function playRound(options: RoundOptions): Promise<RoundResult> {
  const { seed, buyers = BUYERS, webhooks = true } = options
  const began = performance.now()
  const world = await openWorld(options)
  const witness = newWitness()
  const random = seededInt(seed)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const shopping: Promise<void>[] = []
  try {
    await Promise.all(world.seats.map(seat => seat.start()))
    await world.provider.trouble({ ...TROUBLE, seed, ...(!webhooks && { dropWebhook: 1 }) })
    for (let buyer = 0; buyer < buyers; buyer++) {
      shopping.push(buyOnAndOn(world, seed * 1000 + buyer, witness, closing.signal))
    }
    const died = await killOnAndOn(world, random, options)
    closing.abort()
    await Promise.all(shopping)
    const { violations, counts } = await rest(world, witness, random)
    const replies = Object.fromEntries(witness.replies)
    const seconds = (performance.now() - began) / 1000
    return { seconds, kills: options.kills, died, opened: witness.opened.size, ...counts, replies, violations }
  } finally {
    closing.abort()
    await Promise.allSettled(shopping)
    await world.close()
  }
}

async function killOnAndOn(
  world: World,
  random: RandomInt,
  { kills, points = [], webhooks = true }: RoundOptions
): Promise<Record<Failpoint, number>> {
  const died = Object.fromEntries(FAILPOINTS.map(point => [point, 0])) as Record<Failpoint, number>
  await wait(random(500, 1500))
  for (let kill = 0; kill < kills; kill++) {
    const seat = pick(world.seats, random)
    await seat.kill()
    // Now and then it does not even come to serve.
    if (random(0, 8) === 0 && ++kill < kills) {
      seat.begin()
      await wait(random(0, 2000))
      await seat.kill()
    }
    await seat.start()
    if (random(0, 6) === 0) await world.provider.vanish(random(0, 1500))
    await wait(random(150, 2500))
  }
  for (const name of points) {
    // A shop that is told of nothing never comes by there.
    if (name === 'wh-stored' && !webhooks) continue
    const seat = name === 'wh-stored' ? world.told : pick(world.seats, random)
    await seat.kill()
    seat.begin({ name, pass: random(1, 4) })
    if (await seat.dies(LONGEST_WAIT_FOR_DEATH)) died[name]++
    // As it goes on after a crash; what is armed dies no more.
    await seat.kill()
    await seat.start()
  }
  return died
}

/** The provider is well again, everybody who is late pays, and time passes until nothing is left to be done. */
async function rest(
  world: World,
  witness: Witness,
  random: RandomInt
): Promise<{ violations: string[]; counts: { paid: number; refunded: number } }> {
  await world.provider.trouble({})
  for (const payment of witness.pending) {
    await world.provider.answer(payment, random(0, 2) === 0 ? 'paid' : 'failed').catch(unlessRefused)
  }
  // Everything that was ever told is told again.
  await world.provider.replay()
  await world.provider.toldAll(3000)
  const codes = await Promise.all(world.seats.map(seat => seat.stop()))
  const database = world.open()
  try {
    const first = await settle(world, database, world.clock())
    for (const order of witness.late) await world.provider.pay(order).catch(unlessRefused)
    const last = await settle(world, database, first.at)
    const violations = [
      ...codes.flatMap(code => (code === 0 ? [] : [`A shop that was asked to stop ended with ${code}`])),
      ...first.wrong,
      ...last.wrong,
      ...(await verdict(world, database, last.at, witness))
    ]
    return { violations, counts: await countOrders(database) }
  } finally {
    await database.close()
  }
}

async function countOrders({ kysely }: Database): Promise<{ paid: number; refunded: number }> {
  const rows = await kysely
    .selectFrom('orders')
    .select(({ fn }) => ['payment_state', fn.countAll<number>().as('n')])
    .groupBy('payment_state')
    .execute()
  const refunds = await kysely.selectFrom('refunds').select('id').where('state', '=', 'processed').execute()
  return { paid: Number(rows.find(row => row.payment_state === 'paid')?.n ?? 0), refunded: refunds.length }
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ProviderRefusal)) throw error
}
