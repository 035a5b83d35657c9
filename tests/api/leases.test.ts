import { describe, expect, onTestFinished, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { raiseCounter, readCounter } from '#server/platform/db/counters.ts'
import { releaseLease, takeLease } from '#server/platform/jobs/leases.ts'
import { ENGINES, openDatabase, type Engine, type TestDatabase } from '../support/database.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')

describe.for(ENGINES)('Lease on %s', engine => {
  test('is given to only one of several concurrent requests', async () => {
    const { write } = await openTestDatabase(engine)
    const requests = ['a', 'b', 'c'].map(holder => write(trx => takeLease(trx, 'publish', holder, NOON, MINUTE)))
    expect((await Promise.all(requests)).filter(Boolean)).toHaveLength(1)
  })

  test('can be renewed by its holder and taken by others only after it expires', async () => {
    const { write } = await openTestDatabase(engine)
    const take = (holder: string, now: number) => write(trx => takeLease(trx, 'publish', holder, now, MINUTE))
    expect(await take('a', NOON)).toBe(true)
    expect(await take('a', NOON + MINUTE / 2)).toBe(true)
    expect(await take('b', NOON + MINUTE)).toBe(false)
    expect(await take('b', NOON + MINUTE * 1.5)).toBe(true)
    expect(await take('a', NOON + MINUTE * 1.5)).toBe(false)
  })

  test('can be released only by its holder', async () => {
    const { write } = await openTestDatabase(engine)
    const take = (holder: string) => write(trx => takeLease(trx, 'publish', holder, NOON, MINUTE))
    await take('a')
    await write(trx => releaseLease(trx, 'publish', 'b'))
    expect(await take('b')).toBe(false)
    await write(trx => releaseLease(trx, 'publish', 'a'))
    expect(await take('b')).toBe(true)
  })
})

describe.for(ENGINES)('Counter on %s', engine => {
  test('starts at 0 and is incremented by one', async () => {
    const { database, write } = await openTestDatabase(engine)
    expect(await readCounter(database.kysely, 'catalog')).toBe(0)
    expect(await write(trx => raiseCounter(trx, 'catalog'))).toBe(1)
    expect(await write(trx => raiseCounter(trx, 'catalog'))).toBe(2)
    expect(await readCounter(database.kysely, 'catalog')).toBe(2)
  })
})

async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const opened = await openDatabase(engine)
  onTestFinished(opened.close)
  return opened
}
