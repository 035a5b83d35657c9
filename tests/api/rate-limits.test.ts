import { describe, expect, test } from 'vitest'
import type { ShopError } from '#lib/errors.ts'
import { HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { enforceLimit, hourlyLimits, type Limit } from '#server/platform/http/limits.ts'
import { BOTH_ENGINES, openTestDatabase } from '../support/database.ts'

const NOW = Date.parse('2026-11-21T04:20:00.000Z')
const limitOf = (key: string, max: number) => ({ key, max, window: HOUR })

describe.each(BOTH_ENGINES)('Rate limit on %s', engine => {
  async function openLimits() {
    const { write } = await openTestDatabase(engine)
    /** Returns the seconds to wait if the attempt is refused. */
    return (limits: Limit[], now = NOW): Promise<number | 'allowed' | undefined> =>
      write(trx => enforceLimit(trx, limits, now)).then(
        () => 'allowed',
        (error: ShopError) => error.retryAfter
      )
  }

  test('allows exactly its number of parallel attempts until its window ends', async () => {
    const attempt = await openLimits()
    const calls = [limitOf('calls', 3)]
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => attempt(calls)))
    expect(outcomes.sort()).toEqual([2400, 2400, 'allowed', 'allowed', 'allowed'])
    expect(await attempt(calls, NOW + 40 * MINUTE - SECOND)).toBe(1)
    expect(await attempt(calls, NOW + 40 * MINUTE)).toBe('allowed')
  })

  test('does not count what another limit refuses', async () => {
    const attempt = await openLimits()
    const [all, own] = [limitOf('all', 2), limitOf('own', 1)]
    expect([await attempt([all, own]), await attempt([all, own])]).toEqual(['allowed', 2400])
    expect([await attempt([all]), await attempt([all])]).toEqual(['allowed', 2400])
  })
})

test('A rented IPv6 network may do half as much again as a household', () => {
  const numbersOf = (ip: string) => hourlyLimits(ip, 'codes').map(({ max }) => max)
  expect([numbersOf('203.0.113.9'), numbersOf('2001:db8::1')]).toEqual([[600], [600, 900]])
})
