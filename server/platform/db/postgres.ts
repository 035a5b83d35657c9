import { PostgresAdapter, PostgresDialect, type Kysely, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { MINUTE, SECOND } from '#lib/time.ts'
import { DatabaseError, isOutdatedPlan } from './failures.ts'

const INT8 = 20
const NUMERIC = 1700
/** Each connection keeps all prepared statements in memory. */
const MAX_PREPARED = 500
const BEGUN = { command: 'BEGIN', rowCount: 0, rows: [] }

export function openPostgres(databaseUrl: string): pg.Pool {
  if (!URL.canParse(databaseUrl)) {
    throw new DatabaseError(
      'DATABASE_URL is not a valid URL, for example ' +
        'DATABASE_URL=postgres://user:password@host:5432/shop'
    )
  }
  const pool = new pg.Pool({
    // Sends a query without waiting for the replies to earlier ones, for example to `begin`.
    pipeline: true,
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 5 * SECOND,
    keepAlive: true,
    // A stuck statement or transaction must not hold its locks and its connection for ever.
    statement_timeout: MINUTE,
    lock_timeout: 30 * SECOND,
    idle_in_transaction_session_timeout: MINUTE,
    types: {
      getTypeParser: (type: number, format: 'text' | 'binary' = 'text') =>
        [INT8, NUMERIC].includes(type) ? parseNumber : pg.types.getTypeParser(type, format)
    }
  })
  // Without listeners, the error of a lost idle connection would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  return pool
}

export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

export function postgresDialect(pool: pg.Pool): PostgresDialect {
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    const query = async (
      text: string,
      values: readonly unknown[] = []
    ): Promise<pg.QueryResult | typeof BEGUN> =>
      text === 'begin' ? begin(client) : runPrepared(client, text, values)
    return {
      // Kysely uses the other overload only for cursors.
      query: query as unknown as PostgresPoolClient['query'],
      release: () => client.release()
    }
  }
  return new PostgresDialect({ pool: { connect, end: () => pool.end() } })
}

/** Does not wait, so `begin` is sent with the first statement. */
function begin(client: pg.PoolClient): typeof BEGUN {
  client.query('begin').catch(() => undefined)
  return BEGUN
}

const statementNames = new Map<string, string>()
/** Names are never used again, because connections still know the old statement. */
let lastNumber = 0

/** Names the statement, so that each connection parses and plans it only once. */
async function runPrepared(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[]
): Promise<pg.QueryResult> {
  if (values.length === 0) return client.query(text)
  if (!statementNames.has(text) && statementNames.size < MAX_PREPARED)
    statementNames.set(text, `statement ${++lastNumber}`)
  const name = statementNames.get(text)
  const config = { text, values: [...values] }
  if (name === undefined) return client.query(config)
  try {
    return await client.query({ ...config, name })
  } catch (error) {
    if (!isOutdatedPlan(error)) throw error
    // New names make all connections prepare their statements again.
    statementNames.clear()
    // 'I' means idle. Inside a transaction, `write` repeats all of it.
    if (client.getTransactionStatus() !== 'I') throw error
    return client.query(config)
  }
}

/** Throws RangeError if the number, or its whole part, is not exact in JavaScript. */
function parseNumber(text: string) {
  const value = Number(text)
  if (!Number.isSafeInteger(Math.trunc(value)))
    throw new RangeError(`${text} is too large for an exact number`)
  return value
}
