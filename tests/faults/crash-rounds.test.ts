import { expect, inject, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import type { Failpoint } from '#server/platform/process/failpoints.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { runRound } from './rounds/round.ts'

/** `npm run faults` crashes at all failpoints on both databases. */
const ROUNDS: Record<Engine, { shops: number; points: readonly Failpoint[] }> = {
  sqlite: {
    shops: 1,
    points: ['after-provider', 'settle-precommit', 'webhook-stored', 'after-refund']
  },
  postgres: { shops: 2, points: ['settle-precommit'] }
}

test.for(ENGINES)(
  'no order, payment or stock is lost or duplicated after kills and crashes at failpoints on %s',
  { timeout: 10 * MINUTE },
  async engine => {
    const { shops, points } = ROUNDS[engine]
    const postgres = inject('postgres')
    const round = await runRound({ engine, postgres, seed: 2, kills: 1, points, shops, buyers: 2 })
    expect(round.violations).toEqual([])
    expect(round.paid).toBeGreaterThan(0)
    expect(points.filter(point => round.crashes[point] === 0)).toEqual([])
  }
)
