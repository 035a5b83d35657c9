import { Kysely, Migrator, PostgresDialect, sql, type Dialect } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate, BASELINE, MIGRATIONS } from '#server/platform/db/migrate.ts'
import { openPostgres } from '#server/platform/db/postgres.ts'
import { openSqlite, sqliteDialect } from '#server/platform/db/sqlite.ts'
import { ENGINES, openDatabase, openEmptyDatabase, type Engine } from '../support/database.ts'

/** Statements that the version before does not notice. */
const ADDITIONS = [
  /^create table /,
  /^(create|drop) index /,
  // They may write only to tables that the version before does not have.
  /^create (trigger|or replace function) /,
  /^alter table \S+ add column (?!.*\b(unique|check|primary key)\b)(?=.*default|(?!.*not null))/,
  /^(insert into|update) /,
  // 031 moves removed packs to another table, where the version before does not find them.
  /^delete from order_(lines where removed = quantity|change_lines)$/
]
const ignoreSpace = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
const isAddition = (statement: string): boolean =>
  ADDITIONS.some(pattern => pattern.test(ignoreSpace(statement)))

async function openDialect(engine: Engine): Promise<Dialect> {
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
    const { database, close } = await openDatabase(engine)
    onTestFinished(close)
    await sql`update kysely_migration set name = '025-nodes' where name = ${BASELINE}`.execute(
      database.kysely
    )
    await expect(migrate(database)).rejects.toThrow(/start the version of commit 1678b053 once/)
  })

  test('of a newer version let this one start, but not if some of its own are missing', async () => {
    const { database, close } = await openDatabase(engine)
    onTestFinished(close)
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
