import { Kysely } from 'kysely'
import { SECOND } from '#lib/time.ts'
import { openPostgres, postgresDialect } from './postgres.ts'
import { openSqlite, sqliteDialect } from './sqlite.ts'
import type { Db, Tables } from './tables.ts'

export interface Database {
  kysely: Db
  dialect: 'sqlite' | 'postgres'
  location: string
  close(): Promise<void>
}

export function connect({
  databaseUrl,
  busyTimeout = 5 * SECOND
}: {
  databaseUrl: string
  busyTimeout?: number
}): Database {
  return /^postgres(ql)?:/.test(databaseUrl)
    ? connectPostgres(databaseUrl)
    : connectSqlite(databaseUrl, busyTimeout)
}

function connectSqlite(path: string, busyTimeout: number): Database {
  const file = openSqlite(path, busyTimeout)
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  return {
    kysely,
    dialect: 'sqlite',
    location: path,
    async close() {
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
    location: `postgres://${host}${pathname}`,
    async close() {
      await kysely.destroy()
      if (!pool.ending) await pool.end()
    }
  }
}
