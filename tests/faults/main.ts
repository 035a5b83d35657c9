import { parseArgs } from 'node:util'
import { markdown } from '../../bench/table.ts'
import type { Engine } from '../support/database.ts'
import { openTestPostgres } from '../support/postgres.ts'
import { tryMutants } from './mutants/try-mutants.ts'
import { playCampaign, totals, type Campaign } from './rounds/campaign.ts'

const HELP = `Kills the shop while people buy, and counts what is lost. Nothing ever may be.

  npm run faults -- [options]

  --database NAME   sqlite or postgres (both, one after the other)
  --kills N         SIGKILLs at random moments (500)
  --points N        deaths at each named point (20)
  --seed N          of the buyers, the faults and the pauses (1)
  --mutants [WORD]  takes one guard after another (those whose names have the word) out of a copy of the shop, and says
                    which test sees it`

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

// So that what it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.help) say(HELP)
else if (values.mutants) process.exitCode = (await tryMutants(positionals)) ? 0 : 1
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
    const sum = totals()
    for await (const round of playCampaign(campaign)) {
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
