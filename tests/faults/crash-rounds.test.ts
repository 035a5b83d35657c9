import { expect, inject, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { FAILPOINTS, type Failpoint } from '#server/platform/process/failpoints.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { runRound } from './rounds/round.ts'

/** Points outside of transactions do not depend on the database. `npm run faults` crashes at all of them on both. */
const POINTS: Record<Engine, readonly Failpoint[]> = {
  sqlite: FAILPOINTS,
  postgres: ['settle-precommit']
}

test.for(ENGINES)(
  'no order, payment or stock is lost or duplicated after kills and crashes at failpoints of two servers (%s)',
  { timeout: 10 * MINUTE },
  async engine => {
    const points = POINTS[engine]
    const postgres = inject('postgres')
    const round = await runRound({ engine, postgres, seed: 2, kills: 2, points, shops: 2, buyers: 3 })
    expect(round.violations).toEqual([])
    expect(round.paid).toBeGreaterThan(0)
    expect(points.filter(point => round.crashes[point] === 0)).toEqual([])
  }
)
