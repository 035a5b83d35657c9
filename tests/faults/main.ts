import { parseArgs } from 'node:util'
import { FAILPOINTS } from '#server/platform/process/failpoints.ts'
import type { Engine } from '../support/database.ts'
import type { TestPostgres } from '../support/postgres-admin.ts'
import { openTestPostgres } from '../support/postgres.ts'
import { runRound, type RoundOptions, type RoundResult } from './rounds/round.ts'

const HELP = `Kills the server during checkouts and checks that no money, stock, place on a day or order is lost.

  npm run faults -- [options]

  --database NAME  sqlite or postgres (default: both, one after the other)
  --kills N        SIGKILLs at random moments (default: 500)
  --points N       crashes at each failpoint (default: 20)
  --seed N         random seed for buyers, faults and delays (default: 1)
  --help           show this help`

const KILLS_PER_ROUND = 20

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    kills: { type: 'string', default: '500' },
    points: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' }
  }
})
const [kills, points, seed] = (['kills', 'points', 'seed'] as const).map(name => {
  if (/^\d+$/.test(values[name])) return Number(values[name])
  throw new Error(`--${name} must be a whole number, not ${values[name]}`)
}) as [number, number, number]

// process.exit also kills the child processes, through their exit handler.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.help) console.log(HELP)
else process.exitCode = (await runAll()) === 0 ? 0 : 1

/** Returns the number of violations. */
async function runAll(): Promise<number> {
  let violations = 0
  for (const engine of values.database.map(parseEngine)) {
    const server = engine === 'postgres' ? await openTestPostgres() : undefined
    violations += await killInRounds(engine, server?.postgres)
    await server?.stop()
  }
  return violations
}

/** Random kills come first, then crashes at failpoints. */
async function killInRounds(engine: Engine, postgres: TestPostgres | undefined): Promise<number> {
  const rounds: RoundResult[] = []
  async function runNext(options: Pick<RoundOptions, 'kills' | 'points'>): Promise<RoundResult> {
    const number = rounds.length
    const variation = { shops: number % 3 === 2 ? 2 : 1, webhooks: number % 4 !== 3 }
    const round = await runRound({
      engine,
      postgres,
      seed: seed + number,
      ...variation,
      ...options
    })
    rounds.push(round)
    const { violations, crashes: _, ...counts } = round
    console.log(`Round ${rounds.length} on ${engine}:`, counts)
    for (const violation of violations) console.log(`  ${violation}`)
    return round
  }
  for (let left = kills; left > 0; left -= KILLS_PER_ROUND)
    await runNext({ kills: Math.min(left, KILLS_PER_ROUND) })
  const crashes = Object.fromEntries(FAILPOINTS.map(point => [point, 0])) as RoundResult['crashes']
  // If a round does not reach a failpoint, the next round tries it again.
  for (let attempt = 0; attempt < 3 * points; attempt++) {
    const missing = FAILPOINTS.filter(point => crashes[point] < points)
    if (missing.length === 0) break
    const round = await runNext({ kills: 0, points: missing })
    for (const point of missing) crashes[point] += round.crashes[point]
  }
  const violations = rounds.reduce((sum, round) => sum + round.violations.length, 0)
  console.log(`${rounds.length} rounds on ${engine}, violations: ${violations}`, crashes)
  return violations
}

function parseEngine(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name
  throw new Error(`--database must be sqlite or postgres, not ${name}`)
}
