import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { MINUTE, SECOND } from '#lib/time.ts'
import { DatabaseError } from './failures.ts'
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
  return /^postgres(ql)?:/.test(databaseUrl) ? connectPostgres(databaseUrl) : connectSqlite(databaseUrl, busyTimeout)
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
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
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

const INT8 = 20
const NUMERIC = 1700

/** Reads int8 and numeric as numbers. Connects at the first query. Throws DatabaseError if the URL is malformed. */
export function openPostgres(databaseUrl: string): pg.Pool {
  if (!URL.canParse(databaseUrl)) {
    throw new DatabaseError(
      'DATABASE_URL is not a valid URL, for example DATABASE_URL=postgres://user:password@host:5432/shop'
    )
  }
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 5 * SECOND,
    keepAlive: true,
    // A stuck statement or transaction must not hold its locks and its connection for ever.
    statement_timeout: MINUTE,
    lock_timeout: 30 * SECOND,
    idle_in_transaction_session_timeout: MINUTE,
    types: { getTypeParser: (type: number, format?: 'text' | 'binary') => findParser(type, format) }
  })
  // Without listeners, the error of a lost idle connection would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  return pool
}

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for an exact number`)
  return value
}

function parseNumeric(text: string): number {
  if (!text.includes('.')) return parseInteger(text)
  const value = Number(text)
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`${text} is too large for an exact number`)
  }
  return value
}

function findParser(type: number, format: 'text' | 'binary' = 'text'): (text: string) => unknown {
  if (type === INT8) return parseInteger
  if (type === NUMERIC) return parseNumeric
  return pg.types.getTypeParser(type, format)
}
