import { describe, expect, inject, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { FAILPOINTS } from '#server/platform/process/failpoints.ts'
import { ENGINES } from '../support/database.ts'
import { runRound } from './rounds/round.ts'

const timeout = 10 * MINUTE

describe.for(ENGINES)('Server killed during checkouts (%s)', { timeout }, engine => {
  test('no order, payment or stock is lost or duplicated after kills at random moments', async () => {
    const round = await runRound({ engine, postgres: inject('postgres'), seed: 1, kills: 4 })
    expect(round.violations).toEqual([])
    expect(round.paid).toBeGreaterThan(0)
  })

  test('no order, payment or stock is lost or duplicated after crashes at all failpoints of two servers', async () => {
    const postgres = inject('postgres')
    const round = await runRound({ engine, postgres, seed: 2, kills: 0, points: FAILPOINTS, shops: 2, webhooks: true })
    expect(round.violations).toEqual([])
    expect(Object.entries(round.crashes).filter(([, times]) => times === 0)).toEqual([])
  })
})
