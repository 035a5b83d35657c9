import { expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { FAILPOINTS, type Failpoint } from '#server/platform/process/failpoints.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { runRound } from './rounds/round.ts'

/** `npm run faults` sets it. Then, each round has more kills, and crashes at all failpoints. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 0)

const SHORT_ROUND: Record<Engine, { shops: number; points: readonly Failpoint[] }> = {
  sqlite: {
    shops: 1,
    points: ['after-provider', 'settle-precommit', 'webhook-stored', 'after-refund']
  },
  postgres: { shops: 2, points: ['settle-precommit'] }
}

test.for(ENGINES)(
  'no order, payment or stock is lost or duplicated after kills and crashes at failpoints on %s',
  { timeout: 10 * MINUTE * Math.max(1, ROUNDS) },
  async engine => {
    for (let round = 0; round < Math.max(1, ROUNDS); round++) {
      const long = { kills: 20, points: FAILPOINTS, shops: 1 + (round % 2), buyers: 12 }
      const short = { kills: 1, ...SHORT_ROUND[engine], buyers: 2 }
      const options = ROUNDS > 0 ? long : short
      const result = await runRound({ engine, seed: 2 + round, ...options })
      expect(result.violations).toEqual([])
      expect(result.paid).toBeGreaterThan(0)
      // A long round may end before a rare failpoint is reached.
      if (ROUNDS === 0) expect(result.crashes).toEqual(options.points)
    }
  }
)
