import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../../bench/table.ts'
import type { Engine } from '../support/database.ts'
import { openTestPostgres } from '../support/postgres.ts'
import { runMutants } from './mutants/run-mutants.ts'
import { runCampaign, createTotals, type Campaign } from './rounds/campaign.ts'

const HELP = `Kills the server during checkouts and checks that no money, stock, place on a day or order is lost. Then lets many buyers
compete for a few places, restarts two nodes behind Caddy in turn, and sends random requests for all calls in the API's
documentation, of which none may get 500.

  npm run faults -- [options]

  --database NAME   sqlite or postgres (default: both, one after the other)
  --kills N         SIGKILLs at random moments (default: 500)
  --nodes N         2: all rounds on two nodes on one PostgreSQL, with a data folder each and clocks 5 minutes apart; in
                    each round, PostgreSQL and the store of pictures are cut off for 30 s (default: 1)
  --points N        crashes at each failpoint (default: 20)
  --races N         rounds of 200 buyers for five places on a day (default: 20)
  --restarts N      restarts of both nodes under load (default: 5)
  --requests N      random requests for each database (default: 10000)
  --seed N          random seed for buyers, faults, delays and requests (default: 1)
  --mutants [WORD]  remove one safety check at a time in a copy of the project (only mutants with WORD in their
                    names) and name the first test that detects it
  --help            show this help`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    kills: { type: 'string', default: '500' },
    points: { type: 'string', default: '20' },
    nodes: { type: 'string', default: '1' },
    races: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '5' },
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: false }
  }
})

// process.exit also kills the child processes, through their exit handler.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.help) print(HELP)
else if (values.mutants) process.exitCode = (await runMutants(positionals)) ? 0 : 1
else await run()

async function run(): Promise<void> {
  let violations = 0
  const nodes = parseNumber('nodes')
  const engines = nodes > 1 ? ['postgres' as const] : values.database.map(parseEngine)
  for (const engine of engines) {
    const { postgres, stop } =
      engine === 'postgres' ? await openTestPostgres() : { postgres: undefined, stop: undefined }
    const campaign: Campaign = {
      engine,
      postgres,
      nodes,
      kills: parseNumber('kills'),
      crashesPerPoint: parseNumber('points'),
      seed: parseNumber('seed')
    }
    const totals = createTotals()
    for await (const round of runCampaign(campaign)) {
      print(totals.add(round))
      for (const violation of round.violations) print(`  ${violation}`)
    }
    print(`\n${formatTable(totals.table(engine))}\n`)
    violations += totals.violations
    await stop?.()
  }
  const names = `on (${engines.join('|')})`
  const sellsPlacesOnce =
    parseNumber('races') === 0 ||
    (await runTests('api/delivery-places', ['-t', `${names} are taken by`], {
      PLACE_ROUNDS: values.races
    }))
  const survives =
    parseNumber('requests') === 0 ||
    (await runTests('api/fuzz', ['-t', `${names}$`], {
      FUZZ_REQUESTS: values.requests,
      FUZZ_SEED: values.seed
    }))
  const losesNothing =
    parseNumber('restarts') === 0 ||
    (await runTests('faults/rolling-restart', ['--config=tests/faults/vitest.config.ts'], {
      ROLLING_RESTARTS: values.restarts
    }))
  process.exitCode = violations === 0 && sellsPlacesOnce && survives && losesNothing ? 0 : 1
}

async function runTests(
  file: string,
  flags: string[],
  settings: Record<string, string>
): Promise<boolean> {
  const options = ['run', `tests/${file}.test.ts`, ...flags]
  const env = { ...process.env, ...settings }
  const child = spawn(join('node_modules', '.bin', 'vitest'), options, {
    env,
    stdio: ['ignore', 'inherit', 'inherit']
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

function parseEngine(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name
  throw new Error(`--database must be sqlite or postgres, not ${name}`)
}

function parseNumber(
  name: 'kills' | 'nodes' | 'points' | 'races' | 'requests' | 'restarts' | 'seed'
): number {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error(`--${name} must be a whole number, not ${values[name]}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
