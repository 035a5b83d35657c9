import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, sql, type ControlledTransaction } from 'kysely'
import { SECOND } from '#lib/time.ts'
import type { Database } from './connect.ts'
import { isRetryable, translated } from './failures.ts'
import type { Db, Tables, Trx } from './tables.ts'
import { guarded } from './write-guard.ts'

/**
 * The one door for writes. The action runs in a transaction and is answered after its commit; when it throws, nothing of
 * it is kept. Its first statement writes, it awaits nothing but its transaction, and it may be run again from its start.
 * Throws what the action throws, or ShopError UNAVAILABLE.
 */
export type Write = <T>(action: (trx: Trx) => Promise<T>, safety?: Safety) => Promise<T>

/**
 * What was answered outlives a power cut when it is synced, which it is unless told otherwise. What is unsynced may be
 * missing afterwards if the power was cut within seconds; a crash of the process it outlives too.
 */
export type Safety = 'synced' | 'unsynced'

const MOST_ATTEMPTS = 8
/** No attempt starts later than this. */
const PATIENCE = 10 * SECOND
const FIRST_PAUSE = 10
const GROUP_SIZE = 64
// As they are: to build them anew for each writer costs more than to run them.
const SAVEPOINT = CompiledQuery.raw('savepoint writer')
const ROLLBACK = CompiledQuery.raw('rollback to savepoint writer')
const RELEASE = CompiledQuery.raw('release savepoint writer')

export function createWrite({ kysely, dialect }: Database): Write {
  return dialect === 'sqlite' ? groupedWrite(kysely) : singleWrite(kysely)
}

// PostgreSQL groups the commits of its connections itself.
function singleWrite(db: Db): Write {
  return async (action, safety = 'synced') => {
    try {
      return await withRetries(() => inTransaction(db, trx => runSingle(trx, action, safety)))
    } catch (error) {
      throw translated(error)
    }
  }
}

async function runSingle<T>(
  trx: ControlledTransaction<Tables>,
  action: (trx: Trx) => Promise<T>,
  safety: Safety
): Promise<T> {
  if (safety === 'unsynced') await sql`set local synchronous_commit = off`.execute(trx)
  return guarded(trx, action)
}

interface Writer {
  safety: Safety
  run(trx: Trx): Promise<unknown>
  answer(value: unknown): void
  refuse(error: unknown): void
}

// A commit costs an fsync whatever is in it, so writers that wait share one.
function groupedWrite(db: Db): Write {
  const waiting: Writer[] = []
  let busy = false

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      // SQLite itself never lets the event loop turn, and only requests that could be read in between can wait together.
      await turn()
      await commitTogether(db, waiting.splice(0, GROUP_SIZE))
    }
    busy = false
  }

  return (action, safety = 'synced') =>
    new Promise((resolve, reject) => {
      waiting.push({
        safety,
        run: action,
        answer: value => resolve(value as Awaited<ReturnType<typeof action>>),
        refuse: reject
      })
      if (busy) return
      busy = true
      void work()
    })
}

type Outcome = { value: unknown } | { error: unknown }

async function commitTogether(db: Db, writers: readonly Writer[]): Promise<void> {
  const commit = (): Promise<Outcome[]> => withRetries(() => inTransaction(db, trx => runEach(trx, writers)))
  try {
    const outcomes = await (writers.some(({ safety }) => safety === 'synced') ? commit() : unsynced(db, commit))
    for (const [index, outcome] of outcomes.entries()) {
      if ('error' in outcome) writers[index]?.refuse(translated(outcome.error))
      else writers[index]?.answer(outcome.value)
    }
  } catch (error) {
    for (const writer of writers) writer.refuse(translated(error))
  }
}

// An fsync holds the event loop for as long as the disk takes. The file stays whole without: it is a write-ahead log.
async function unsynced<T>(db: Db, commit: () => Promise<T>): Promise<T> {
  await sql`pragma synchronous = normal`.execute(db)
  try {
    return await commit()
  } finally {
    await sql`pragma synchronous = full`.execute(db)
  }
}

async function runEach(trx: ControlledTransaction<Tables>, writers: readonly Writer[]): Promise<Outcome[]> {
  const [first] = writers
  // The end of the transaction is the end of one that is alone, whichever it is.
  if (first && writers.length === 1) return [{ value: await guarded(trx, first.run) }]
  const outcomes: Outcome[] = []
  for (const writer of writers) outcomes.push(await runAlone(trx, writer))
  return outcomes
}

async function runAlone(trx: ControlledTransaction<Tables>, writer: Writer): Promise<Outcome> {
  await trx.executeQuery(SAVEPOINT)
  const outcome = await guarded(trx, writer.run).then(
    (value): Outcome => ({ value }),
    (error: unknown): Outcome => ({ error })
  )
  if ('error' in outcome) {
    if (isRetryable(outcome.error)) throw outcome.error
    try {
      await trx.executeQuery(ROLLBACK)
    } catch {
      // A full disk ends the whole transaction, savepoints and all: then none of the group is kept.
      throw outcome.error
    }
  }
  await trx.executeQuery(RELEASE)
  return outcome
}

async function inTransaction<T>(db: Db, run: (trx: ControlledTransaction<Tables>) => Promise<T>): Promise<T> {
  const trx = await db.startTransaction().execute()
  try {
    const value = await run(trx)
    await trx.commit().execute()
    return value
  } catch (error) {
    // It also gives the connection back. What it may throw itself says less than the first error.
    await trx
      .rollback()
      .execute()
      .catch(() => undefined)
    throw error
  }
}

/** Runs again what lost against another process, with growing random pauses. */
export async function withRetries<T>(run: () => Promise<T>, patience = PATIENCE): Promise<T> {
  const until = performance.now() + patience
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isRetryable(error) || attempt >= MOST_ATTEMPTS || performance.now() > until) throw error
      await sleep(Math.random() * FIRST_PAUSE * 2 ** attempt)
    }
  }
}
