import { FAILPOINTS, type Failpoint } from '#server/failpoints.ts'
import type { Table } from '../../../bench/table.ts'
import type { Engine } from '../../support/database.ts'
import type { TestPostgres } from '../../support/postgres-admin.ts'
import { runRound, type RoundOptions, type RoundResult } from './round.ts'

export interface Campaign {
  engine: Engine
  postgres: TestPostgres | undefined
  kills: number
  points: number
  seed: number
}

const KILLS_PER_ROUND = 20

/** Rounds with random kills, then rounds with crashes at failpoints. Every third round runs two servers. */
export async function* runCampaign({ engine, postgres, kills, points, seed }: Campaign): AsyncGenerator<RoundResult> {
  let round = 0
  const next = (options: Pick<RoundOptions, 'kills' | 'points'>): Promise<RoundResult> => {
    const number = round++
    const varied = { shops: number % 3 === 2 ? 2 : 1, webhooks: number % 4 !== 3 }
    return runRound({ engine, postgres, seed: seed + number, ...varied, ...options })
  }
  for (let left = kills; left > 0; left -= KILLS_PER_ROUND) yield await next({ kills: Math.min(left, KILLS_PER_ROUND) })
  // A failpoint that was not reached in one round is tried again in the next.
  const missing = new Map<Failpoint, number>(FAILPOINTS.map(point => [point, points]))
  for (let attempt = 0; attempt < 3 * points && points > 0; attempt++) {
    const wanted = FAILPOINTS.filter(point => (missing.get(point) ?? 0) > 0)
    if (wanted.length === 0) return
    const result = await next({ kills: 0, points: wanted })
    for (const point of wanted) missing.set(point, (missing.get(point) ?? 0) - result.crashes[point])
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
  const sum = (value: (round: RoundResult) => number): number => rounds.reduce((all, round) => all + value(round), 0)
  return {
    get violations() {
      return sum(({ violations }) => violations.length)
    },
    add(round) {
      rounds.push(round)
      const crashes = Object.values(round.crashes).reduce((all, each) => all + each, 0)
      const ends = `${round.opened} payments opened, ${round.paid} orders paid, ${round.refunded} refunds`
      const kills = `${round.kills} kills, ${crashes} crashes at failpoints`
      return `${rounds.length}: ${kills}, ${ends}, ${round.violations.length} violations in ${round.seconds.toFixed(0)} s`
    },
    table: engine => ({
      title: `Fault injection on ${engine}: ${rounds.length} rounds`,
      head: ['event', 'count'],
      rows: [
        ['SIGKILL at random moments', sum(({ kills }) => kills)],
        ...FAILPOINTS.map((point): [string, number] => [`SIGKILL at ${point}`, sum(({ crashes }) => crashes[point])]),
        ['payments opened', sum(({ opened }) => opened)],
        ['orders paid', sum(({ paid }) => paid)],
        ['refunds', sum(({ refunded }) => refunded)],
        ['503 replies', sum(({ replies }) => countReplies(replies, /^503/))],
        ['calls without a reply', sum(({ replies }) => countReplies(replies, /^no reply/))],
        ['violations', sum(({ violations }) => violations.length)]
      ]
    })
  }
}

function countReplies(replies: Record<string, number>, which: RegExp): number {
  return Object.entries(replies).reduce((all, [status, times]) => all + (which.test(status) ? times : 0), 0)
}
