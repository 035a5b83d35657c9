import BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement
} from 'kysely'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseError, isBusy } from './failures.ts'

export interface SqliteSettings {
  /** A file's path, or ':memory:'. */
  path: string
  /** How long a statement waits for another process, in ms. */
  busyTimeout: number
}

// Older ones can lose committed transactions when the write-ahead log is reset (sqlite.org/wal.html, "the WAL-reset bug").
const SAFE_VERSIONS = ['3.44.6', '3.50.7', '3.51.3'] as const
/** More different statements than the shop has; what is past that are lists of many lengths. */
const REMEMBERED_STATEMENTS = 500

/** Opens the file, makes every commit durable, and proves that it can be written. Throws an error of one line. */
export function openSqlite({ path, busyTimeout }: SqliteSettings): BetterSqlite3.Database {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
    const file = new BetterSqlite3(path, { timeout: busyTimeout })
    try {
      refuseOldSqlite(String(file.prepare('select sqlite_version()').pluck().get()))
      setPragmas(file, path, busyTimeout)
      file.exec('begin immediate; rollback')
      return file
    } catch (error) {
      file.close()
      throw error
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`The database ${path} can't be used: ${why}`, { cause })
  }
}

/** Throws for a SQLite that may lose what it said was saved. */
export function refuseOldSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const safe = SAFE_VERSIONS.some((known, index) => {
    const [, knownMinor = 0, knownPatch = 0] = known.split('.').map(Number)
    const newest = index === SAFE_VERSIONS.length - 1
    return (minor === knownMinor && patch >= knownPatch) || (newest && minor > knownMinor)
  })
  if (major > 3 || (major === 3 && safe)) return
  throw new Error(`SQLite ${version} is too old, it must be 3.51.3 or newer (or 3.50.7, 3.44.6): run npm ci again`)
}

function setPragmas(file: BetterSqlite3.Database, path: string, busyTimeout: number): void {
  const wanted = {
    journal_mode: path === ':memory:' ? 'memory' : 'wal',
    // FULL: in WAL mode SQLite may be built to fall back to NORMAL, which loses the last commits with the power.
    synchronous: 2,
    foreign_keys: 1,
    busy_timeout: busyTimeout
  }
  for (const [pragma, value] of Object.entries(wanted)) {
    setWhenFree(file, `${pragma} = ${value}`, busyTimeout)
    const found: unknown = file.pragma(pragma, { simple: true })
    if (found !== value) throw new Error(`SQLite keeps ${pragma} at ${String(found)} instead of ${value}`)
  }
}

// Changing the journal mode does not wait by itself when another process is opening the same new file.
function setWhenFree(file: BetterSqlite3.Database, pragma: string, patience: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (const until = performance.now() + patience; ; Atomics.wait(pause, 0, 0, 20)) {
    try {
      file.pragma(pragma)
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
  }
}

/** Kysely's dialect with the two things that a shop's SQLite needs otherwise. */
export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(database: SqliteDatabase) {
    const config = { database: rememberStatements(database) }
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#config)
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter()
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  // A deferred one fails at its first write, at once and whatever the timeout, when another process wrote since its first read.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

// Then the migrator puts all that it does into one transaction: a crash leaves none of it, and a second process waits for it.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

// Compiling a statement costs as much as running it.
function rememberStatements(database: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      if (statements.size >= REMEMBERED_STATEMENTS) statements.clear()
      const statement = database.prepare(sql)
      statements.set(sql, statement)
      return statement
    },
    close: () => database.close()
  }
}
