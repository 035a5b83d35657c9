import { FAILPOINTS, type Failpoint } from '#server/platform/process/failpoints.ts'
import type { Table } from '../../../bench/table.ts'
import type { Engine } from '../../support/database.ts'
import type { TestPostgres } from '../../support/postgres-admin.ts'
import { runRound, type RoundOptions, type RoundResult } from './round.ts'

export interface Campaign {
  engine: Engine
  postgres: TestPostgres | undefined
  nodes: number
  kills: number
  crashesPerPoint: number
  seed: number
}

const KILLS_PER_ROUND = 20

/**
 * Random kills come first, then crashes at failpoints. On one node, every third round uses two
 * servers.
 */
export async function* runCampaign({
  engine,
  postgres,
  nodes,
  kills,
  crashesPerPoint,
  seed
}: Campaign): AsyncGenerator<RoundResult> {
  let round = 0
  const runNextRound = (options: Pick<RoundOptions, 'kills' | 'points'>): Promise<RoundResult> => {
    const number = round++
    const ownMachines = nodes > 1
    const shops = ownMachines ? nodes : number % 3 === 2 ? 2 : 1
    const variation = { shops, ownMachines, webhooks: number % 4 !== 3 }
    return runRound({ engine, postgres, seed: seed + number, ...variation, ...options })
  }
  for (let remaining = kills; remaining > 0; remaining -= KILLS_PER_ROUND)
    yield await runNextRound({ kills: Math.min(remaining, KILLS_PER_ROUND) })
  // If a round does not reach a failpoint, the next round tries it again.
  const missingCrashes = new Map<Failpoint, number>(
    FAILPOINTS.map(point => [point, crashesPerPoint])
  )
  for (let attempt = 0; attempt < 3 * crashesPerPoint && crashesPerPoint > 0; attempt++) {
    const remainingPoints = FAILPOINTS.filter(point => (missingCrashes.get(point) ?? 0) > 0)
    if (remainingPoints.length === 0) return
    const result = await runNextRound({ kills: 0, points: remainingPoints })
    for (const point of remainingPoints)
      missingCrashes.set(point, (missingCrashes.get(point) ?? 0) - result.crashes[point])
    yield result
  }
}

export interface Totals {
  violations: number
  add(round: RoundResult): string
  table(engine: Engine): Table
}

export function createTotals(): Totals {
  const rounds: RoundResult[] = []
  const sumOf = (value: (round: RoundResult) => number): number =>
    rounds.reduce((all, round) => all + value(round), 0)
  return {
    get violations() {
      return sumOf(({ violations }) => violations.length)
    },
    add(round) {
      rounds.push(round)
      const crashes = Object.values(round.crashes).reduce((total, count) => total + count, 0)
      const outcomes = `payments opened: ${round.opened}, orders paid: ${round.paid}, refunds: ${round.refunded}`
      const kills = `random kills: ${round.kills}, crashes at failpoints: ${crashes}`
      return `Round ${rounds.length} (${round.seconds.toFixed(0)} s): ${kills}, ${outcomes}, violations: ${round.violations.length}`
    },
    table: engine => ({
      title: `Fault injection on ${engine} (rounds: ${rounds.length})`,
      header: ['event', 'count'],
      rows: [
        ['SIGKILL at random moments', sumOf(({ kills }) => kills)],
        ...FAILPOINTS.map((point): [string, number] => [
          `SIGKILL at ${point}`,
          sumOf(({ crashes }) => crashes[point])
        ]),
        ['payments opened', sumOf(({ opened }) => opened)],
        ['orders paid', sumOf(({ paid }) => paid)],
        ['refunds', sumOf(({ refunded }) => refunded)],
        ['changes of paid orders', sumOf(({ changed }) => changed)],
        ['503 replies', sumOf(({ replies }) => countReplies(replies, /^503/))],
        ['calls without a reply', sumOf(({ replies }) => countReplies(replies, /^no reply/))],
        ['violations', sumOf(({ violations }) => violations.length)]
      ]
    })
  }
}

function countReplies(replies: Record<string, number>, pattern: RegExp): number {
  return Object.entries(replies).reduce(
    (all, [status, times]) => all + (pattern.test(status) ? times : 0),
    0
  )
}
