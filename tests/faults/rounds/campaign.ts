import { FAILPOINTS, type Failpoint } from '#server/failpoints.ts'
import type { Table } from '../../../bench/table.ts'
import type { Engine } from '../../support/database.ts'
import type { TestPostgres } from '../../support/postgres-admin.ts'
import { playRound, type RoundOptions, type RoundResult } from './round.ts'

/** Many rounds, each of a shop of its own. */
export interface Campaign {
  engine: Engine
  postgres: TestPostgres | undefined
  /** SIGKILLs at random moments in all. */
  kills: number
  /** Deaths at each named point. */
  points: number
  seed: number
}

const KILLS_A_ROUND = 20

/** Rounds of random kills, then one after another through all the points; of each kind some with two shops at once. */
export async function* playCampaign({ engine, postgres, kills, points, seed }: Campaign): AsyncGenerator<RoundResult> {
  let round = 0
  const next = (options: Pick<RoundOptions, 'kills' | 'points'>): Promise<RoundResult> => {
    const number = round++
    const varied = { shops: number % 3 === 2 ? 2 : 1, webhooks: number % 4 !== 3 }
    return playRound({ engine, postgres, seed: seed + number, ...varied, ...options })
  }
  for (let left = kills; left > 0; left -= KILLS_A_ROUND) yield await next({ kills: Math.min(left, KILLS_A_ROUND) })
  // What is not reached in a round, because nothing happened to come by, is tried again in the next.
  const missing = new Map<Failpoint, number>(FAILPOINTS.map(point => [point, points]))
  for (let turn = 0; turn < 3 * points && points > 0; turn++) {
    const wanted = FAILPOINTS.filter(point => (missing.get(point) ?? 0) > 0)
    if (wanted.length === 0) return
    const result = await next({ kills: 0, points: wanted })
    for (const point of wanted) missing.set(point, (missing.get(point) ?? 0) - result.died[point])
    yield result
  }
}

export interface Totals {
  violations: number
  /** Answers a line about the round. */
  add(round: RoundResult): string
  table(engine: Engine): Table
}

export function totals(): Totals {
  const rounds: RoundResult[] = []
  const sum = (value: (round: RoundResult) => number): number => rounds.reduce((all, round) => all + value(round), 0)
  return {
    get violations() {
      return sum(({ violations }) => violations.length)
    },
    add(round) {
      rounds.push(round)
      const deaths = Object.values(round.died).reduce((all, each) => all + each, 0)
      const ends = `${round.opened} payments opened, ${round.paid} orders paid, ${round.refunded} refunds`
      const kills = `${round.kills} kills, ${deaths} deaths at points`
      return `${rounds.length}: ${kills}, ${ends}, ${round.violations.length} violations in ${round.seconds.toFixed(0)} s`
    },
    table: engine => ({
      title: `Faults on ${engine}: ${rounds.length} rounds`,
      head: ['what', 'how often'],
      rows: [
        ['SIGKILL at random moments', sum(({ kills }) => kills)],
        ...FAILPOINTS.map((point): [string, number] => [`SIGKILL at ${point}`, sum(({ died }) => died[point])]),
        ['payments opened', sum(({ opened }) => opened)],
        ['orders paid', sum(({ paid }) => paid)],
        ['refunds', sum(({ refunded }) => refunded)],
        ['calls answered 503', sum(({ replies }) => answers(replies, /^503/))],
        ['calls that nobody answered', sum(({ replies }) => answers(replies, /^nobody/))],
        ['violations', sum(({ violations }) => violations.length)]
      ]
    })
  }
}

function answers(replies: Record<string, number>, which: RegExp): number {
  return Object.entries(replies).reduce((all, [status, times]) => all + (which.test(status) ? times : 0), 0)
}
