import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, Kysely, Migrator, PostgresDialect } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toPaise } from '#lib/money.ts'
import { connect } from '#server/platform/db/connect.ts'
import { migrate, BASELINE, MIGRATIONS } from '#server/platform/db/migrate.ts'
import type { Db, ProductRow } from '#server/platform/db/tables.ts'
import {
  BOTH_ENGINES,
  openDatabase,
  openTestDatabase,
  openEmptyDatabase,
  type Engine,
  ENGINES
} from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openPostgres } from '#server/platform/db/postgres.ts'
import { openSqlite, sqliteDialect } from '#server/platform/db/sqlite.ts'

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

async function open(engine: Engine, opened = openDatabase(engine)) {
  const { database, write, url, close } = await opened
  onTestFinished(close)
  return { database, db: database.kysely, write, url }
}

describe.for(BOTH_ENGINES)('Schema on %s', engine => {
  test('is created at the first start, and the next start keeps the data', async () => {
    const { database, db } = await open(engine, openEmptyDatabase(engine))
    await migrate(database)
    await db.insertInto('products').values(product).execute()
    await migrate(database)
    expect(await db.selectFrom('products').selectAll().execute()).toMatchObject([
      { ...product, version: 1, hidden_at: null, creation_key: null }
    ])
  })

  test('refuses products and deals with invalid values', async () => {
    const { db } = await open(engine)
    const insertProduct = (invalid: Partial<ProductRow>) =>
      db
        .insertInto('products')
        .values({ ...product, ...invalid })
        .execute()
    await expect(insertProduct({ stock: -1 })).rejects.toThrow(/check/i)
    await expect(insertProduct({ price: toPaise(-1) })).rejects.toThrow(/check/i)
    await insertProduct({})
    const insertDeal = (invalid: object) =>
      db
        .insertInto('deals')
        .values({
          ...{ id: 'deal', product_id: product.id, percent: 20 },
          ...{ starts_at: '2026-11-21', ends_at: '2026-11-22', ...invalid }
        })
        .execute()
    for (const invalid of [{ percent: 0 }, { percent: 101 }, { ends_at: '2026-11-21' }])
      await expect(insertDeal(invalid)).rejects.toThrow(/check/i)
    await expect(insertDeal({ product_id: 'unicorn' })).rejects.toThrow(/foreign key/i)
    await insertDeal({})
  })

  test('sorts names in the same order on both engines', async () => {
    const { db } = await open(engine)
    const names = ['appam', 'Murukku', 'adhirasam', 'முறுக்கு', 'Ñ']
    const rows = names.map(name => ({ ...product, id: name, name }))
    await db.insertInto('products').values(rows).execute()
    const sorted = await db.selectFrom('products').select('name').orderBy('name').execute()
    expect(sorted.map(({ name }) => name)).toEqual([
      'Murukku',
      'adhirasam',
      'appam',
      'Ñ',
      'முறுக்கு'
    ])
  })
})

test('Integers, sums and counts from PostgreSQL are JavaScript numbers, or an error if they cannot be', async () => {
  const { db } = await open('postgres')
  await db.insertInto('products').values(product).execute()
  const { rows } =
    await sql`select sum(price) as sum, count(*) as count, avg(price) as average from products`.execute(
      db
    )
  expect(rows).toEqual([{ sum: 18000, count: 1, average: 18000 }])
  for (const value of ['9007199254740993::int8', '9007199254740993.5::numeric'])
    await expect(sql`select ${sql.raw(value)}`.execute(db), value).rejects.toThrow(RangeError)
})

describe('Opening a SQLite file', () => {
  test('uses settings that keep committed data after a power failure', async () => {
    const database = connect({ databaseUrl: join(await temporaryFolder(), 'new', 'shop.db') })
    const pragma = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(database.kysely)).rows[0] as object)
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('synchronous')).toEqual([2])
    expect(await pragma('foreign_keys')).toEqual([1])
    expect(await pragma('busy_timeout')).toEqual([5000])
    await database.close()
  })

  test('fails with a one-line error if it is not a database or cannot be created', async () => {
    const folder = await temporaryFolder()
    const letter = join(folder, 'shop.db')
    await writeFile(letter, 'A letter, not a database. '.repeat(100))
    for (const databaseUrl of [letter, folder, join(letter, 'shop.db')])
      expect(() => connect({ databaseUrl })).toThrow(/^The database .* can't be used: [^\n]+$/)
  })
})

describe('PostgreSQL', () => {
  test('that cannot be reached is a one-line error without the password', async () => {
    const database = connect({ databaseUrl: 'postgres://shop:secret@127.0.0.1:1/shop' })
    await expect(migrate(database)).rejects.toThrow(
      /^The database postgres:\/\/127\.0\.0\.1:1\/shop can't be prepared: .*ECONNREFUSED.*$/
    )
    await database.close()
    expect(() => connect({ databaseUrl: 'postgres://host:port/shop' })).toThrow(
      /^DATABASE_URL is not a valid URL, .*$/
    )
  })

  test('ends statements, lock waits and transactions that take too long', async () => {
    const { db, write } = await open('postgres')
    expect(await readSetting(db, 'statement_timeout')).toBe('1min')
    expect(await readSetting(db, 'lock_timeout')).toBe('30s')
    expect(await readSetting(db, 'idle_in_transaction_session_timeout')).toBe('1min')
    const slow = write(async trx => {
      await sql`set local statement_timeout = 20`.execute(trx)
      await sql`select pg_sleep(5)`.execute(trx)
    })
    await expect(slow).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

async function readSetting(db: Db, name: string) {
  const { rows } = await sql<{
    value: string
  }>`select current_setting(${name}) as value`.execute(db)
  return rows[0]?.value
}

/** Statements that the version before does not notice. */
const ADDITIONS = [
  /^create table /,
  /^(create|drop) index /,
  // They may write only to tables that the version before does not have.
  /^create (trigger|or replace function) /,
  /^alter table \S+ add column (?!.*\b(unique|check|primary key)\b)(?=.*default|(?!.*not null))/,
  /^(insert into|update|select) /,
  // 031 moves removed packs to another table, where the version before does not find them.
  /^delete from order_(lines where removed = quantity|change_lines)$/
]
const ignoreSpace = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
const isAddition = (statement: string) =>
  ADDITIONS.some(pattern => pattern.test(ignoreSpace(statement)))

async function openDialect(engine: Engine) {
  if (engine === 'sqlite') return sqliteDialect(openSqlite(':memory:', 0))
  const { url, close } = await openEmptyDatabase('postgres')
  onTestFinished(close)
  return new PostgresDialect({ pool: openPostgres(url) })
}

describe.for(ENGINES)('Migrations on %s', engine => {
  test('only add, so that the version before runs beside them', async () => {
    const statements: string[] = []
    const dialect = await openDialect(engine)
    const db = new Kysely<unknown>({ dialect, log: ({ query }) => void statements.push(query.sql) })
    onTestFinished(() => db.destroy())
    const provider = { getMigrations: async () => ({ ...MIGRATIONS }) }
    await new Migrator({ db, provider }).migrateTo(BASELINE)
    statements.length = 0
    for (const [name, { up }] of Object.entries(MIGRATIONS)) if (name > BASELINE) await up(db)
    expect(statements.length).toBeGreaterThan(15)
    expect(statements.filter(statement => !isAddition(statement))).toEqual([])
  })

  test('refuse a database that is too old, with the way to upgrade it', async () => {
    const { database } = await openTestDatabase(engine)
    await sql`update kysely_migration set name = '025-nodes' where name = ${BASELINE}`.execute(
      database.kysely
    )
    await expect(migrate(database)).rejects.toThrow(/start the version of commit 1678b053 once/)
  })

  test('of a newer version let this one start, but not if some of its own are missing', async () => {
    const { database } = await openTestDatabase(engine)
    await sql`insert into kysely_migration (name, timestamp) values ('999-future', '9999')`.execute(
      database.kysely
    )
    expect(await migrate(database)).toEqual(['999-future'])
    await sql`delete from kysely_migration where name = ${Object.keys(MIGRATIONS).at(-1)}`.execute(
      database.kysely
    )
    await expect(migrate(database)).rejects.toThrow(
      /^The database .* can't be prepared: corrupted migrations/
    )
  })
})
