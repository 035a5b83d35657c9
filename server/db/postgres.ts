import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { SECOND } from '#lib/time.ts'
import { DatabaseError } from './failures.ts'

const INT8 = 20
const NUMERIC = 1700

/** A pool whose integers and sums arrive as numbers. It connects at its first query; throws only for a malformed address. */
export function openPostgres(databaseUrl: string): pg.Pool {
  if (!URL.canParse(databaseUrl)) {
    throw new DatabaseError('DATABASE_URL is no address, it must look like postgres://user:password@host:5432/shop')
  }
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 5 * SECOND,
    keepAlive: true,
    types: { getTypeParser: (type: number, format?: 'text' | 'binary') => parserOf(type, format) }
  })
  // Whoever uses a connection that breaks hears of it from its query, and the next one gets another; but each of the two
  // events that tell it too, while it is idle or between queries, would end the process if nobody listened.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  return pool
}

export function postgresDialect(pool: pg.Pool): PostgresDialect {
  return new PostgresDialect({ pool })
}

/** A whole number of PostgreSQL as a JavaScript number. Throws RangeError for one that a double can't hold. */
export function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large to be read exactly`)
  return value
}

/** A numeric of PostgreSQL, such as a sum, as a JavaScript number. Throws RangeError for one past what a double can hold. */
export function parseNumeric(text: string): number {
  if (!text.includes('.')) return parseInteger(text)
  const value = Number(text)
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`${text} is too large to be read exactly`)
  }
  return value
}

function parserOf(type: number, format: 'text' | 'binary' = 'text'): (text: string) => unknown {
  if (type === INT8) return parseInteger
  if (type === NUMERIC) return parseNumeric
  return pg.types.getTypeParser(type, format)
}
