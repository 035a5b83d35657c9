import { describe, expect, inject, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { FAILPOINTS } from '#server/failpoints.ts'
import { ENGINES } from '../support/database.ts'
import { playRound } from './rounds/round.ts'

// Each starts a dozen processes, which takes its time on a busy machine.
const timeout = 10 * MINUTE

describe.for(ENGINES)('a shop that is killed while people buy, on %s', { timeout }, engine => {
  test('loses, doubles and changes nothing, at whatever moment it dies', async () => {
    const round = await playRound({ engine, postgres: inject('postgres'), seed: 1, kills: 4 })
    expect(round.violations).toEqual([])
    expect(round.paid).toBeGreaterThan(0)
  })

  test('nor at the moments when that is most telling, with another shop beside it that goes on', async () => {
    const postgres = inject('postgres')
    const round = await playRound({ engine, postgres, seed: 2, kills: 0, points: FAILPOINTS, shops: 2, webhooks: true })
    expect(round.violations).toEqual([])
    expect(Object.entries(round.died).filter(([, times]) => times === 0)).toEqual([])
  })
})
