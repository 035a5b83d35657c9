import BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  type SqliteStatement,
  type TransactionSettings
} from 'kysely'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseError, isBusy } from './failures.ts'

const MAX_STATEMENTS = 500

export function openSqlite(path: string, busyTimeout: number): BetterSqlite3.Database {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
    const file = new BetterSqlite3(path, { timeout: busyTimeout })
    try {
      setPragmas(file, path, busyTimeout)
      file.exec('begin immediate; rollback')
      return file
    } catch (error) {
      file.close()
      throw error
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`The database ${path} can't be used: ${reason}`, { cause })
  }
}

function setPragmas(file: BetterSqlite3.Database, path: string, busyTimeout: number) {
  const pragmas = {
    journal_mode: path === ':memory:' ? 'memory' : 'wal',
    // 2 means FULL. In WAL mode, NORMAL can lose the last commits in a power cut.
    synchronous: 2,
    foreign_keys: 1,
    busy_timeout: busyTimeout
  }
  for (const [pragma, value] of Object.entries(pragmas)) {
    setPragma(file, `${pragma} = ${value}`, busyTimeout)
    const actual: unknown = file.pragma(pragma, { simple: true })
    if (actual !== value)
      throw new Error(`SQLite did not set ${pragma} to ${value}, it is ${String(actual)}`)
  }
}

// busy_timeout does not apply to a change of the journal mode.
function setPragma(file: BetterSqlite3.Database, pragma: string, timeout: number) {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  for (const until = performance.now() + timeout; ; Atomics.wait(signal, 0, 0, 20)) {
    try {
      file.pragma(pragma)
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
  }
}

export function sqliteDialect(database: SqliteDatabase): Dialect {
  return {
    createDriver: () => new ImmediateSqliteDriver({ database: cacheStatements(database) }),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: db => new SqliteIntrospector(db)
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  // A deferred transaction fails at its first write if another process has written since.
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings
  ): Promise<void> {
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(begin))
  }
}

// Makes Kysely's migrator run all migrations in one transaction.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function cacheStatements(database: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      const cached = statements.get(sql)
      if (cached) return cached
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      const statement = database.prepare(sql)
      statements.set(sql, statement)
      return statement
    },
    close: () => database.close()
  }
}
