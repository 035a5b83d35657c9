import {
  CompiledQuery,
  sql,
  type ControlledTransaction,
  type InsertResult,
  type KyselyPlugin,
  type RootOperationNode,
  type Selectable,
  type UpdateResult
} from 'kysely'
import { AsyncResource } from 'node:async_hooks'
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises'
import { SECOND, type Clock } from '#lib/time.ts'
import type { Database } from './connect.ts'
import { isRetryable, mapDatabaseFailure } from './failures.ts'
import type { Db, Tables, Trx } from './tables.ts'

/**
 * Runs the action in a transaction and resolves after the commit. The action must begin with a
 * statement that writes, await only its own queries, and tolerate being repeated. Throws what the
 * action throws, or ShopError UNAVAILABLE.
 */
export type Write = <T>(action: (trx: Trx) => Promise<T>, options?: WriteOptions) => Promise<T>

export interface WriteOptions {
  /** What visitors can see of it: `catalog` (default) also wakes the publisher. */
  shows?: 'catalog' | 'stock' | 'nothing'
  /** False: a power cut can lose the commit, and it waits for no disk. True by default. */
  isDurable?: boolean
}

export const LOSABLE: WriteOptions = { shows: 'nothing', isDurable: false }

export interface DataDeps {
  database: Database
  write: Write
  clock: Clock
}

const MAX_ATTEMPTS = 8
const RETRY_TIMEOUT = 10 * SECOND
const BACKOFF_MS = 10
const MAX_GROUP_SIZE = 64
const SAVEPOINT = CompiledQuery.raw('savepoint writer')
const ROLLBACK = CompiledQuery.raw('rollback to savepoint writer')
const RELEASE = CompiledQuery.raw('release savepoint writer')

export function createWrite({ kysely, dialect }: Database): Write {
  return dialect === 'sqlite' ? groupedWrite(kysely) : singleWrite(kysely)
}

// Writers are not grouped here, because PostgreSQL groups commits on its own.
function singleWrite(db: Db): Write {
  return async (action, { isDurable = true } = {}) => {
    try {
      return await withRetries(() =>
        inTransaction(db, async trx => {
          if (!isDurable) await sql`set local synchronous_commit = off`.execute(trx)
          return runGuarded(trx, action)
        })
      )
    } catch (error) {
      throw mapDatabaseFailure(error)
    }
  }
}

interface Writer {
  isDurable: boolean
  run(trx: Trx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

// Group commit: waiting writers share one transaction and its fsync.
function groupedWrite(db: Db): Write {
  const waiting: Writer[] = []
  let busy = false

  async function commitWaiting() {
    while (waiting.length > 0) {
      // better-sqlite3 blocks the event loop. Yielding lets more requests join the group.
      await yieldToEventLoop()
      await commitTogether(db, waiting.splice(0, MAX_GROUP_SIZE))
    }
    busy = false
  }

  return (action, { isDurable = true } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({
        isDurable,
        // The group runs in the context of its first writer, but texts are in each one's language.
        run: AsyncResource.bind(action),
        resolve: value => resolve(value as Awaited<ReturnType<typeof action>>),
        reject
      })
      if (busy) return
      busy = true
      void commitWaiting()
    })
}

async function commitTogether(db: Db, writers: readonly Writer[]) {
  const commit = (): Promise<PromiseSettledResult<unknown>[]> =>
    withRetries(() => inTransaction(db, trx => runWriters(trx, writers)))
  try {
    const outcomes = await (writers.some(({ isDurable }) => isDurable)
      ? commit()
      : commitLosable(db, commit))
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') writers[index]?.resolve(outcome.value)
      else writers[index]?.reject(mapDatabaseFailure(outcome.reason))
    }
  } catch (error) {
    for (const writer of writers) writer.reject(mapDatabaseFailure(error))
  }
}

// Skips the fsync, which blocks the event loop. The write-ahead log stays consistent without it.
async function commitLosable<T>(db: Db, commit: () => Promise<T>): Promise<T> {
  await sql`pragma synchronous = normal`.execute(db)
  try {
    return await commit()
  } finally {
    await sql`pragma synchronous = full`.execute(db)
  }
}

async function runWriters(
  trx: ControlledTransaction<Tables>,
  writers: readonly Writer[]
): Promise<PromiseSettledResult<unknown>[]> {
  const [first] = writers
  if (first && writers.length === 1)
    return [{ status: 'fulfilled', value: await runGuarded(trx, first.run) }]
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (const writer of writers) outcomes.push(await runInSavepoint(trx, writer))
  return outcomes
}

async function runInSavepoint(
  trx: ControlledTransaction<Tables>,
  writer: Writer
): Promise<PromiseSettledResult<unknown>> {
  await trx.executeQuery(SAVEPOINT)
  const [outcome] = await Promise.allSettled([runGuarded(trx, writer.run)])
  if (outcome.status === 'rejected') {
    if (isRetryable(outcome.reason)) throw outcome.reason
    try {
      await trx.executeQuery(ROLLBACK)
    } catch {
      // SQLite has rolled back the whole transaction, for example because the disk is full.
      throw outcome.reason
    }
  }
  await trx.executeQuery(RELEASE)
  return outcome
}

async function inTransaction<T>(
  db: Db,
  run: (trx: ControlledTransaction<Tables>) => Promise<T>
): Promise<T> {
  const trx = await db.startTransaction().execute()
  try {
    const value = await run(trx)
    await trx.commit().execute()
    return value
  } catch (error) {
    // Also releases the connection. The first error is the one to report.
    await trx
      .rollback()
      .execute()
      .catch(() => undefined)
    throw error
  }
}

export async function withRetries<T>(run: () => Promise<T>, timeout = RETRY_TIMEOUT): Promise<T> {
  const until = performance.now() + timeout
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isRetryable(error) || attempt >= MAX_ATTEMPTS || performance.now() > until) throw error
      await sleep(Math.random() * BACKOFF_MS * 2 ** attempt)
    }
  }
}

/** A query after the end of a write would run in the savepoint of the next writer. */
async function runGuarded<T>(trx: Trx, action: (trx: Trx) => Promise<T>): Promise<T> {
  const guard = new WriteGuard()
  try {
    return await action(trx.withPlugin(guard) as Trx)
  } finally {
    guard.hasEnded = true
  }
}

class WriteGuard implements KyselyPlugin {
  hasEnded = false
  #hasBegun = false

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (this.hasEnded) throw new Error('The write has ended; await all of its queries')
    if (!this.#hasBegun && node.kind === 'SelectQueryNode')
      throw new Error('A write must begin with a statement that writes')
    this.#hasBegun = true
    return node
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result
  }
}

export async function hasWritten(statement: {
  executeTakeFirstOrThrow: () => Promise<InsertResult | UpdateResult>
}): Promise<boolean> {
  const result = await statement.executeTakeFirstOrThrow()
  const rows = 'numUpdatedRows' in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows
  return rows === 1n
}

/** No key column, because writing it would make SQLite check all rows that refer to it. */
const COLUMNS = {
  coupons: 'version',
  orders: 'changes',
  payments: 'rank',
  products: 'version',
  users: 'phone'
} as const

/** Writes the row to itself, which locks it on both databases. A write may begin with it. */
export async function lockRow<Name extends keyof typeof COLUMNS>(
  trx: Trx,
  table: Name,
  id: string
): Promise<Selectable<Tables[Name]> | undefined> {
  const column = sql.ref(COLUMNS[table])
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${sql.table(table)} set ${column} = ${column} where id = ${id} returning *`.execute(trx)
  return rows[0]
}
