import { parseArgs } from 'node:util'
import { markdown } from '../../bench/table.ts'
import type { Engine } from '../support/database.ts'
import { openTestPostgres } from '../support/postgres.ts'
import { runMutants } from './mutants/run-mutants.ts'
import { runCampaign, createTotals, type Campaign } from './rounds/campaign.ts'

const HELP = `Kills the server during checkouts and checks that no money, stock or order is lost.

  npm run faults -- [options]

  --database NAME   sqlite or postgres (default: both, one after the other)
  --kills N         SIGKILLs at random moments (default: 500)
  --points N        crashes at each failpoint (default: 20)
  --seed N          random seed for buyers, faults and delays (default: 1)
  --mutants [WORD]  remove one guard at a time from a copy of the project (only mutants with WORD in their
                    names) and list the tests that detect it
  --help            show this help`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    kills: { type: 'string', default: '500' },
    points: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: false }
  }
})

// A regular exit also ends the child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.help) say(HELP)
else if (values.mutants) process.exitCode = (await runMutants(positionals)) ? 0 : 1
else await run()

async function run(): Promise<void> {
  let violations = 0
  for (const engine of values.database.map(asEngine)) {
    const { postgres, stop } =
      engine === 'postgres' ? await openTestPostgres() : { postgres: undefined, stop: undefined }
    const campaign: Campaign = {
      engine,
      postgres,
      kills: asNumber('kills'),
      points: asNumber('points'),
      seed: asNumber('seed')
    }
    const sum = createTotals()
    for await (const round of runCampaign(campaign)) {
      say(sum.add(round))
      for (const violation of round.violations) say(`  ${violation}`)
    }
    say(`\n${markdown(sum.table(engine))}\n`)
    violations += sum.violations
    await stop?.()
  }
  process.exitCode = violations === 0 ? 0 : 1
}

function asEngine(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name
  throw new Error(`--database must be sqlite or postgres, not ${name}`)
}

function asNumber(name: 'kills' | 'points' | 'seed'): number {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error(`--${name} must be a whole number, not ${values[name]}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
