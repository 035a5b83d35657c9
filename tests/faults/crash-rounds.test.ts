import { expect, inject, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { FAILPOINTS } from '#server/platform/process/failpoints.ts'
import { ENGINES } from '../support/database.ts'
import { runRound } from './rounds/round.ts'

test.for(ENGINES)(
  'no order, payment or stock is lost or duplicated after kills and crashes at all failpoints of two servers (%s)',
  { timeout: 10 * MINUTE },
  async engine => {
    const postgres = inject('postgres')
    const round = await runRound({ engine, postgres, seed: 2, kills: 2, points: FAILPOINTS, shops: 2, buyers: 5 })
    expect(round.violations).toEqual([])
    expect(round.paid).toBeGreaterThan(0)
    expect(Object.entries(round.crashes).filter(([, times]) => times === 0)).toEqual([])
  }
)
