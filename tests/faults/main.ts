import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FAILPOINTS, type Failpoint } from '#server/platform/process/failpoints.ts'
import type { Engine } from '../support/database.ts'
import type { TestPostgres } from '../support/postgres-admin.ts'
import { openTestPostgres } from '../support/postgres.ts'
import { runRound, type RoundOptions, type RoundResult } from './rounds/round.ts'

const HELP = `Kills the server during checkouts and checks that no money, stock, place on a day or order is lost. Then
lets many buyers compete for a few places, restarts two nodes behind Caddy in turn, and sends random requests for all
calls in the API's documentation, of which none may get 500.

  npm run faults -- [options]

  --database NAME  sqlite or postgres (default: both, one after the other)
  --kills N        SIGKILLs at random moments (default: 500)
  --nodes N        2: two nodes on one PostgreSQL, which is cut off for 30 s in each round (default: 1)
  --points N       crashes at each failpoint (default: 20)
  --races N        rounds of 200 buyers for five places on a day (default: 20)
  --restarts N     restarts of both nodes under load (default: 5)
  --requests N     random requests for each database (default: 10000)
  --seed N         random seed for buyers, faults, delays and requests (default: 1)
  --help           show this help`

const KILLS_PER_ROUND = 20

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    kills: { type: 'string', default: '500' },
    points: { type: 'string', default: '20' },
    nodes: { type: 'string', default: '1' },
    races: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '5' },
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' }
  }
})
const [kills, points, nodes, races, restarts, requests, seed] = (
  ['kills', 'points', 'nodes', 'races', 'restarts', 'requests', 'seed'] as const
).map(name => {
  if (/^\d+$/.test(values[name])) return Number(values[name])
  throw new Error(`--${name} must be a whole number, not ${values[name]}`)
}) as [number, number, number, number, number, number, number]

// process.exit also kills the child processes, through their exit handler.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.help) console.log(HELP)
else process.exitCode = (await runAll()) ? 0 : 1

async function runAll(): Promise<boolean> {
  const engines = nodes > 1 ? ['postgres' as const] : values.database.map(parseEngine)
  let violations = 0
  for (const engine of engines) {
    const server = engine === 'postgres' ? await openTestPostgres() : undefined
    violations += await killInRounds(engine, server?.postgres)
    await server?.stop()
  }
  const names = `on (${engines.join('|')})`
  const files: readonly [number, string, string[], Record<string, string>][] = [
    [races, 'api/delivery-places', ['-t', `${names} are taken by`], { PLACE_ROUNDS: `${races}` }],
    [
      requests,
      'slow/fuzz',
      ['-t', `${names}$`],
      { FUZZ_REQUESTS: `${requests}`, FUZZ_SEED: `${seed}` }
    ],
    [restarts, 'faults/rolling-restart', [], { ROLLING_RESTARTS: `${restarts}` }]
  ]
  const passed = files.map(([count, file, flags, env]) => count === 0 || runTests(file, flags, env))
  return violations === 0 && passed.every(Boolean)
}

/** Random kills come first, then crashes at failpoints. Returns the number of violations. */
async function killInRounds(engine: Engine, postgres: TestPostgres | undefined): Promise<number> {
  const rounds: RoundResult[] = []
  async function runNext(options: Pick<RoundOptions, 'kills' | 'points'>): Promise<RoundResult> {
    const number = rounds.length
    const variation = {
      ownMachines: nodes > 1,
      shops: nodes > 1 ? nodes : number % 3 === 2 ? 2 : 1,
      webhooks: number % 4 !== 3
    }
    const round = await runRound({
      engine,
      postgres,
      seed: seed + number,
      ...variation,
      ...options
    })
    rounds.push(round)
    const { violations, seconds, crashes: _, ...counts } = round
    console.log(`Round ${rounds.length} on ${engine} (${seconds.toFixed(0)} s):`, counts)
    for (const violation of violations) console.log(`  ${violation}`)
    return round
  }
  for (let left = kills; left > 0; left -= KILLS_PER_ROUND)
    await runNext({ kills: Math.min(left, KILLS_PER_ROUND) })
  const crashes = Object.fromEntries(FAILPOINTS.map(point => [point, 0])) as RoundResult['crashes']
  // If a round does not reach a failpoint, the next round tries it again.
  for (let attempt = 0; attempt < 3 * points; attempt++) {
    const missing = FAILPOINTS.filter((point: Failpoint) => crashes[point] < points)
    if (missing.length === 0) break
    const round = await runNext({ kills: 0, points: missing })
    for (const point of missing) crashes[point] += round.crashes[point]
  }
  const violations = rounds.reduce((sum, round) => sum + round.violations.length, 0)
  console.log(`${rounds.length} rounds on ${engine}, violations: ${violations}`, crashes)
  return violations
}

function runTests(file: string, flags: string[], settings: Record<string, string>): boolean {
  const options = ['run', `tests/${file}.test.ts`, ...flags]
  const env = { ...process.env, TEST_ENGINES: 'all', ...settings }
  const vitest = join('node_modules', '.bin', 'vitest')
  return spawnSync(vitest, options, { env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

function parseEngine(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name
  throw new Error(`--database must be sqlite or postgres, not ${name}`)
}
