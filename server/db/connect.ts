import { Kysely } from 'kysely'
import { SECOND } from '#lib/time.ts'
import { openPostgres, postgresDialect } from './postgres.ts'
import { ImmediateSqliteDialect, openSqlite } from './sqlite.ts'
import type { Db, Tables } from './tables.ts'

export interface Database {
  kysely: Db
  dialect: 'sqlite' | 'postgres'
  /** Where it is, without a password, for messages. */
  place: string
  close(): Promise<void>
}

export interface DatabaseSettings {
  /** `postgres://…`, the path of a SQLite file, or ':memory:'. */
  databaseUrl: string
  /** How long SQLite waits for another process, in ms. */
  busyTimeout?: number
}

/** SQLite for one machine, PostgreSQL for many: the address decides. Throws an error of one line when it can't be used. */
export function connect({ databaseUrl, busyTimeout = 5 * SECOND }: DatabaseSettings): Database {
  return /^postgres(ql)?:/.test(databaseUrl) ? connectPostgres(databaseUrl) : connectSqlite(databaseUrl, busyTimeout)
}

function connectSqlite(path: string, busyTimeout: number): Database {
  const file = openSqlite({ path, busyTimeout })
  const kysely = new Kysely<Tables>({ dialect: new ImmediateSqliteDialect(file) })
  return {
    kysely,
    dialect: 'sqlite',
    place: path,
    async close() {
      // Kysely closes only what it has used.
      await kysely.destroy()
      file.close()
    }
  }
}

function connectPostgres(databaseUrl: string): Database {
  const pool = openPostgres(databaseUrl)
  const kysely = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  const { host, pathname } = new URL(databaseUrl)
  return {
    kysely,
    dialect: 'postgres',
    place: `postgres://${host}${pathname}`,
    async close() {
      await kysely.destroy()
      if (!pool.ending) await pool.end()
    }
  }
}
