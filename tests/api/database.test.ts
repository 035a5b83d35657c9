import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toPaise } from '#lib/money.ts'
import { connect } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import type { ProductRow } from '#server/platform/db/tables.ts'
import { ENGINES, openDatabase, openEmptyDatabase } from '../support/database.ts'

/** Kysely takes this lock while it migrates. */
const KYSELY_LOCK = 3853314791062309107n

const product: ProductRow = {
  id: 'mysore-pak',
  name: 'Mysore Pak',
  name_tamil: 'மைசூர் பாக்',
  description: 'Porous and golden.',
  price: toPaise(18000),
  category: 'sweets',
  dietary: 'vegetarian',
  rating: 46,
  stock: 5,
  ingredients: '[]',
  pack_value: 0.25,
  pack_unit: 'kg',
  pack_type: 'weight',
  shelf_life: '15 days',
  created_at: '2026-11-21T00:00:00.000Z'
}

describe.for(ENGINES)('Schema on %s', engine => {
  test('is created at the first start, and the next start keeps the data', async () => {
    const { database, close } = await openEmptyDatabase(engine)
    await migrate(database)
    await database.kysely.insertInto('products').values(product).execute()
    await migrate(database)
    expect(await database.kysely.selectFrom('products').selectAll().execute()).toMatchObject([
      { ...product, version: 1, hidden_at: null, creation_key: null }
    ])
    await close()
  })

  test('refuses negative stock and prices', async () => {
    const { database, close } = await openDatabase(engine)
    const insert = (invalid: Partial<ProductRow>) =>
      database.kysely
        .insertInto('products')
        .values({ ...product, ...invalid })
        .execute()
    await expect(insert({ stock: -1 })).rejects.toThrow(/check/i)
    await expect(insert({ price: toPaise(-1) })).rejects.toThrow(/check/i)
    await insert({})
    await close()
  })

  test('refuses deals with an invalid percentage, period or product', async () => {
    const { database, close } = await openDatabase(engine)
    await database.kysely.insertInto('products').values(product).execute()
    const times = { starts_at: '2026-11-21T00:00:00.000Z', ends_at: '2026-11-22T00:00:00.000Z' }
    const insert = (invalid: object) =>
      database.kysely
        .insertInto('deals')
        .values({ id: 'deal', product_id: product.id, percent: 20, ...times, ...invalid })
        .execute()
    await expect(insert({ percent: 0 })).rejects.toThrow(/check/i)
    await expect(insert({ percent: 101 })).rejects.toThrow(/check/i)
    await expect(insert({ ends_at: times.starts_at })).rejects.toThrow(/check/i)
    await expect(insert({ product_id: 'unicorn' })).rejects.toThrow(/foreign key/i)
    await insert({})
    await close()
  })

  test('sorts names in the same order on both engines', async () => {
    const { database, close } = await openDatabase(engine)
    const names = ['appam', 'Murukku', 'adhirasam', 'முறுக்கு', 'Ñ']
    await database.kysely
      .insertInto('products')
      .values(names.map(name => ({ ...product, id: name, name })))
      .execute()
    const rows = await database.kysely
      .selectFrom('products')
      .select('name')
      .orderBy('name')
      .execute()
    expect(rows.map(({ name }) => name)).toEqual(['Murukku', 'adhirasam', 'appam', 'Ñ', 'முறுக்கு'])
    await close()
  })
})

describe('Query result from PostgreSQL', () => {
  test('contains integers, sums and counts as JavaScript numbers', async () => {
    const { database, close } = await openDatabase('postgres')
    await database.kysely.insertInto('products').values(product).execute()
    const { rows } =
      await sql`select sum(price) as sum, count(*) as count, avg(price) as average from products`.execute(
        database.kysely
      )
    expect(rows).toEqual([{ sum: 18000, count: 1, average: 18000 }])
    await close()
  })

  test.for(['9007199254740993::int8', '9007199254740993::numeric', '9007199254740993.5::numeric'])(
    'is refused if JavaScript cannot represent a number exactly: %s',
    async (value, { onTestFinished }) => {
      const { database, close } = await openDatabase('postgres')
      onTestFinished(close)
      await expect(sql`select ${sql.raw(value)}`.execute(database.kysely)).rejects.toThrow(
        RangeError
      )
    }
  )
})

describe('Opening a SQLite file', () => {
  let folder: string
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'palagaram-sqlite-'))))
  afterEach(() => rm(folder, { recursive: true }))

  test('uses settings that keep committed data after a power failure', async () => {
    const database = connect({ databaseUrl: join(folder, 'new', 'shop.db') })
    const pragma = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(database.kysely)).rows[0] as object)
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('synchronous')).toEqual([2])
    expect(await pragma('foreign_keys')).toEqual([1])
    expect(await pragma('busy_timeout')).toEqual([5000])
    await database.close()
  })

  test('fails with a one-line error if the file is not a database', async () => {
    const path = join(folder, 'shop.db')
    await writeFile(path, 'A letter, not a database. '.repeat(100))
    expect(() => connect({ databaseUrl: path })).toThrow(
      /^The database .*shop\.db can't be used: file is not a database$/
    )
  })

  test('fails with a one-line error if the file cannot be created', async () => {
    await writeFile(join(folder, 'file'), '')
    for (const path of [folder, join(folder, 'file', 'shop.db')]) {
      expect(() => connect({ databaseUrl: path })).toThrow(
        /^The database .* can't be used: [^\n]+$/
      )
    }
  })
})

describe('PostgreSQL connection', () => {
  test('fails with a one-line error that does not contain the password', async () => {
    const database = connect({ databaseUrl: 'postgres://shop:secret@127.0.0.1:1/shop' })
    const failure = await migrate(database).catch((error: Error) => error.message)
    expect(failure).toMatch(
      /^The database postgres:\/\/127\.0\.0\.1:1\/shop can't be prepared: .*ECONNREFUSED.*$/
    )
    expect(failure).not.toContain('secret')
    await database.close()
  })

  test('fails with a one-line error if the URL is malformed', () => {
    expect(() => connect({ databaseUrl: 'postgres://host:port/shop' })).toThrow(
      /^DATABASE_URL is not a valid URL, .*$/
    )
  })
})

describe('PostgreSQL', () => {
  test('lets a migration take longer than other statements may take', async ({
    onTestFinished
  }) => {
    const { url, close } = await openEmptyDatabase('postgres')
    onTestFinished(close)
    const [first, second] = [
      connect({ databaseUrl: url }),
      connect({ databaseUrl: `${url}?statement_timeout=200` })
    ]
    const migrated = await first.kysely.connection().execute(async db => {
      await sql`select pg_advisory_lock(${sql.lit(KYSELY_LOCK)})`.execute(db)
      const waiting = migrate(second)
      await sleep(500)
      await sql`select pg_advisory_unlock(${sql.lit(KYSELY_LOCK)})`.execute(db)
      return waiting.then(
        () => true,
        (error: unknown) => error
      )
    })
    const { rows } = await sql<{
      value: string
    }>`select current_setting('statement_timeout') as value`.execute(second.kysely)
    expect([migrated, rows]).toEqual([true, [{ value: '200ms' }]])
    await Promise.all([first.close(), second.close()])
  })

  test('limits statements again after a migration has failed', async ({ onTestFinished }) => {
    const { url, close } = await openEmptyDatabase('postgres')
    onTestFinished(close)
    const database = connect({ databaseUrl: `${url}?statement_timeout=200` })
    const { kysely } = database
    await sql`create table products (other text)`.execute(kysely)
    await expect(migrate(database)).rejects.toThrow("can't be prepared")
    const { rows } = await sql`select current_setting('statement_timeout') as value`.execute(kysely)
    expect(rows).toEqual([{ value: '200ms' }])
    await database.close()
  })

  test('reads and writes after a newer version has added a column', async () => {
    const { database, write, close } = await openDatabase('postgres')
    const db = database.kysely
    await db.insertInto('products').values(product).execute()
    const read = () => db.selectFrom('products').selectAll().where('id', '=', product.id).execute()
    const rename = (name: string) =>
      write(trx =>
        trx
          .updateTable('products')
          .set({ name })
          .where('id', '=', product.id)
          .returningAll()
          .execute()
      )
    await Promise.all([read(), rename('Pak')])
    await sql`alter table products add column origin text`.execute(db)
    expect(await read()).toMatchObject([{ name: 'Pak', origin: null }])
    await sql`alter table products add column color text`.execute(db)
    expect(await rename('Mysore Pak')).toMatchObject([{ name: 'Mysore Pak', color: null }])
    await close()
  })

  test('ends statements, lock waits and transactions that take too long', async () => {
    const { database, write, close } = await openDatabase('postgres')
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const settings = names.map(async name => {
      const { rows } = await sql<{
        value: string
      }>`select current_setting(${name}) as value`.execute(database.kysely)
      return rows[0]?.value
    })
    expect(await Promise.all(settings)).toEqual(['1min', '30s', '1min'])
    const slow = write(async trx => {
      await sql`set local statement_timeout = 20`.execute(trx)
      await sql`select pg_sleep(5)`.execute(trx)
    })
    await expect(slow).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await close()
  })
})
