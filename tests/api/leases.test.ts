import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#lib/time.ts'
import type { Database } from '#server/platform/db/connect.ts'
import type { Write } from '#server/platform/db/write.ts'
import { hasLease, releaseLease, takeLease, withLock } from '#server/platform/process/jobs.ts'
import { BOTH_ENGINES, ENGINES, openTestDatabase } from '../support/database.ts'

describe.for(BOTH_ENGINES)('Lease on %s', engine => {
  test('is given to only one of several concurrent requests', async () => {
    const { write } = await openTestDatabase(engine)
    const requests = ['a', 'b', 'c'].map(holder =>
      write(trx => takeLease(trx, 'publish', holder, MINUTE))
    )
    expect((await Promise.all(requests)).filter(Boolean)).toHaveLength(1)
  })

  test('can be renewed by its holder and taken by others only after it expires', async () => {
    const { database, write } = await openTestDatabase(engine)
    const take = takerOf(write)
    expect(await take('a')).toBe(true)
    expect(await take('a')).toBe(true)
    expect(Math.abs((await readEnd(database)) - Date.now() - MINUTE)).toBeLessThan(5 * SECOND)
    vi.setSystemTime(Date.now() + HOUR)
    onTestFinished(() => void vi.useRealTimers())
    expect(await take('b'), 'the clock of a process does not count').toBe(false)
    vi.useRealTimers()
    expect(await hasLease(database.kysely, 'publish')).toBe(true)
    await setEnd(database, Date.now() - SECOND)
    expect(await hasLease(database.kysely, 'publish')).toBe(false)
    expect(await take('b')).toBe(true)
    expect(await take('a')).toBe(false)
    await setEnd(database, Date.now() + 49 * HOUR)
    expect(await take('a'), 'ends later than possible, because a clock was wrong').toBe(true)
    expect(await take('b')).toBe(false)
    await write(trx => releaseLease(trx, 'publish', 'b'))
    expect(await take('b'), 'is not released by another holder').toBe(false)
    await write(trx => releaseLease(trx, 'publish', 'a'))
    expect(await take('b')).toBe(true)
  })
})

test.for(ENGINES)(
  'The lease of a lock is lost if another process has taken and released it on %s',
  async engine => {
    const { database, write } = await openTestDatabase(engine)
    const work = withLock('publish', lockOptions(write), async ({ confirm }) => {
      await setEnd(database, Date.now() - SECOND)
      await withLock('publish', lockOptions(write), async () => undefined)
      await confirm()
    })
    await expect(work).rejects.toThrow("Another process has taken the lock 'publish'")
  }
)

function lockOptions(write: Write) {
  return { write, signal: new AbortController().signal }
}

function takerOf(write: Write): (holder: string) => Promise<boolean> {
  return holder => write(trx => takeLease(trx, 'publish', holder, MINUTE))
}

async function readEnd({ kysely }: Database) {
  const { until } = await kysely.selectFrom('leases').select('until').executeTakeFirstOrThrow()
  return Date.parse(until)
}

async function setEnd({ kysely }: Database, end: number) {
  const until = new Date(end).toISOString()
  await kysely.updateTable('leases').set({ until }).execute()
}
