import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ShopError } from '#lib/errors.ts'
import { connect } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import type { Trx } from '#server/platform/db/tables.ts'
import { createWrite, LOSABLE } from '#server/platform/db/write.ts'
import { raiseCounter, readCounter } from '#server/platform/db/counters.ts'
import { ENGINES, openEmptyDatabase, type Engine, type TestDatabase } from '../support/database.ts'

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE' })

describe.for(ENGINES)('Write transaction on %s', engine => {
  test('is visible to other connections only after its promise resolves', async () => {
    const { write, secondConnection } = await openWithSecondConnection(engine)
    const before = await write(async trx => {
      await raiseCounter(trx, 'sold')
      return readCounter(secondConnection, 'sold')
    })
    expect(before).toBe(0)
    expect(await readCounter(secondConnection, 'sold')).toBe(1)
  })

  test('is rolled back if it fails, but the other writes of its group are saved', async () => {
    const { database, write } = await openWithSecondConnection(engine)
    const results = await Promise.allSettled([
      write(trx => raiseCounter(trx, 'first')),
      write(async trx => {
        await raiseCounter(trx, 'failed')
        throw new ShopError('PRODUCT_NOT_FOUND')
      }),
      write(async trx => {
        await raiseCounter(trx, 'broken')
        await sql`no statement`.execute(trx)
      }),
      write(trx => raiseCounter(trx, 'last'))
    ])
    const fulfilled = { status: 'fulfilled' }
    const rejected = { status: 'rejected', reason: new ShopError('PRODUCT_NOT_FOUND') }
    expect(results).toMatchObject([fulfilled, rejected, { status: 'rejected' }, fulfilled])
    const saved = await database.kysely
      .selectFrom('counters')
      .select('name')
      .orderBy('name')
      .execute()
    expect(saved.map(({ name }) => name)).toEqual(['first', 'last'])
  })

  test('saves its update even if it runs in parallel with 149 other transactions', async () => {
    const { database, write } = await openWithSecondConnection(engine)
    const values = await Promise.all(
      Array.from({ length: 150 }, () => write(trx => raiseCounter(trx, 'visits')))
    )
    expect(new Set(values).size).toBe(150)
    expect(await readCounter(database.kysely, 'visits')).toBe(150)
  })

  test('fails if its first statement is a read, and cannot be used after it ends', async () => {
    const { write } = await openWithSecondConnection(engine)
    await expect(write(trx => readCounter(trx, 'sold'))).rejects.toThrow(
      'A write must begin with a statement that writes'
    )
    let savedTrx: Trx | undefined
    await write(async trx => void (await raiseCounter((savedTrx = trx), 'sold')))
    await expect(raiseCounter(savedTrx as Trx, 'sold')).rejects.toThrow('The write has ended')
  })

  test('does not wait for the disk if it may be lost, unless it shares a commit with a durable write', async () => {
    const { url, secondConnection } = await openWithSecondConnection(engine)
    const { write } =
      engine === 'sqlite' ? reopen(url) : reopen(`${url}?options=-c%20synchronous_commit%3Don`)
    const readCommitMode = async (trx: Trx) => {
      await raiseCounter(trx, 'tries')
      const query = engine === 'sqlite' ? sql`pragma synchronous` : sql`show synchronous_commit`
      const { rows } = await query.execute(trx)
      return Object.values(rows[0] as object).join()
    }
    const [durable, losable] = engine === 'sqlite' ? ['2', '1'] : ['on', 'off']
    expect(await write(readCommitMode)).toBe(durable)
    expect(await write(readCommitMode, LOSABLE)).toBe(losable)
    expect(await readCounter(secondConnection, 'tries')).toBe(2)
    if (engine === 'postgres') return
    expect(await Promise.all([write(readCommitMode, LOSABLE), write(readCommitMode)])).toEqual([
      durable,
      durable
    ])
  })
})

describe('Queued writes on SQLite', () => {
  test('share one commit', async () => {
    const { write, secondConnection } = await openWithSecondConnection('sqlite')
    let answered = false
    const first = write(trx => raiseCounter(trx, 'sold')).then(() => (answered = true))
    const second = write(async trx => {
      await raiseCounter(trx, 'sold')
      return { answered, seen: await readCounter(secondConnection, 'sold') }
    })
    await first
    expect(await second).toEqual({ answered: false, seen: 0 })
    expect(await readCounter(secondConnection, 'sold')).toBe(2)
  })

  test('all fail if their common commit fails, and the next write succeeds', async () => {
    const { database, write } = await openWithSecondConnection('sqlite')
    const orphan = { product_id: 'unicorn', position: 0, picture_key: 'none' }
    const results = await Promise.allSettled([
      write(trx => raiseCounter(trx, 'sold')),
      write(async trx => {
        await sql`pragma defer_foreign_keys = on`.execute(trx)
        await trx.insertInto('product_pictures').values(orphan).execute()
      })
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await readCounter(database.kysely, 'sold')).toBe(0)
    expect(await write(trx => raiseCounter(trx, 'sold'))).toBe(1)
  })

  test('wait while another process is writing, and fail with UNAVAILABLE if it takes too long', async () => {
    const { url } = await openWithSecondConnection('sqlite')
    const { write } = reopen(url, 10)
    const raise = () => write(trx => raiseCounter(trx, 'sold'))
    const release = lockSqlite(url)
    const waiting = raise()
    await sleep(50)
    release()
    expect(await waiting).toBe(1)
    const releaseLate = lockSqlite(url)
    const results = await Promise.allSettled([raise(), raise()])
    const rejected = { status: 'rejected', reason: unavailable }
    expect(results).toEqual([rejected, rejected])
    releaseLate()
    expect(await raise()).toBe(2)
  })
})

test('PostgreSQL write transaction is retried after a deadlock', async () => {
  const { database, write } = await openWithSecondConnection('postgres')
  let started = 0
  const incrementInOrder = (names: [string, string]) =>
    write(async trx => {
      await raiseCounter(trx, names[0])
      started++
      while (started < 2) await sleep(5)
      await raiseCounter(trx, names[1])
    })
  await Promise.all([incrementInOrder(['a', 'b']), incrementInOrder(['b', 'a'])])
  // The repeated transaction can take its first row again before the other one wakes up: one more
  // deadlock.
  expect(started).toBeGreaterThan(2)
  expect([
    await readCounter(database.kysely, 'a'),
    await readCounter(database.kysely, 'b')
  ]).toEqual([2, 2])
})

/** Opens a migrated database and a second connection to it, which sees only committed data. */
async function openWithSecondConnection(
  engine: Engine
): Promise<TestDatabase & { secondConnection: TestDatabase['database']['kysely'] }> {
  const opened = await openEmptyDatabase(engine)
  await migrate(opened.database)
  const second = connect({ databaseUrl: opened.url })
  onTestFinished(async () => {
    await second.close()
    await opened.close()
  })
  return { ...opened, secondConnection: second.kysely }
}

function reopen(databaseUrl: string, busyTimeout?: number): Pick<TestDatabase, 'write'> {
  const database = connect({ databaseUrl, ...(busyTimeout !== undefined && { busyTimeout }) })
  onTestFinished(() => database.close())
  return { write: createWrite(database) }
}

/** Locks the database for writing until the returned function is called. */
function lockSqlite(path: string): () => void {
  const file = new BetterSqlite3(path)
  file.exec('begin immediate')
  return () => void file.exec('rollback').close()
}
