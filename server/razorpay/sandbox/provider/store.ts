import type BetterSqlite3 from 'better-sqlite3'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { openSqlite } from '../../../platform/db/sqlite.ts'

export interface Store {
  /** Returns a prepared statement. Statements that write must run inside `write`. */
  sql(text: string): BetterSqlite3.Statement<unknown[]>
  /** Runs the action and resolves after the commit. If the action throws, its changes are rolled back. */
  write: <T>(action: () => T) => Promise<T>
  close(): void
}

// The column `entity` contains Razorpay's object as JSON. Other columns repeat some of its fields for use in queries.
const SCHEMA = `
  create table if not exists orders (
    id text primary key, receipt text, created_at integer not null, entity text not null, capture text not null
  ) strict;
  create index if not exists orders_receipt on orders (receipt);
  create table if not exists payments (
    id text primary key, order_id text not null references orders (id), created_at integer not null,
    status text not null, entity text not null
  ) strict;
  create index if not exists payments_order on payments (order_id);
  create index if not exists payments_created on payments (created_at);
  create index if not exists payments_authorized on payments (created_at) where status = 'authorized';
  create table if not exists refunds (
    id text primary key, payment_id text not null references payments (id), created_at integer not null,
    status text not null, entity text not null, idempotency_key text unique, request text
  ) strict;
  create index if not exists refunds_payment on refunds (payment_id);
  create index if not exists refunds_pending on refunds (created_at) where status = 'pending';
  create table if not exists events (
    id text primary key, name text not null, body text not null, created_at integer not null,
    next_at integer, copies integer not null default 1, attempts integer not null default 0
  ) strict;
  create index if not exists events_due on events (next_at) where next_at is not null;
`

interface StoreSettings {
  path: string
  /** If true, each commit waits until the disk has stored it. */
  durable: boolean
  onCommit(): void
}

export function openStore({ path, durable, onCommit }: StoreSettings): Store {
  const file = openSqlite({ path, busyTimeout: 5 * SECOND })
  if (!durable) file.pragma('synchronous = normal')
  file.exec(SCHEMA)
  const statements = new Map<string, BetterSqlite3.Statement<unknown[]>>()
  return {
    sql(text) {
      const statement = statements.get(text) ?? file.prepare<unknown[]>(text)
      statements.set(text, statement)
      return statement
    },
    write: createGroupedWrite(file, onCommit),
    close: () => file.close()
  }
}

interface Writer {
  run(): unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

type Outcome = { value: unknown } | { error: unknown }

// All waiting writers share one commit, because each commit must wait for the disk. Each writer has its own savepoint,
// so that its changes can be rolled back separately.
function createGroupedWrite(file: BetterSqlite3.Database, onCommit: () => void): Store['write'] {
  const waiting: Writer[] = []
  const runInSavepoint = file.transaction((run: () => unknown) => run())
  const runAll = file.transaction((writers: readonly Writer[]) => writers.map(({ run }) => tryRun(run)))

  function tryRun(run: () => unknown): Outcome {
    try {
      return { value: runInSavepoint(run) }
    } catch (error) {
      // After some errors, such as a full disk, SQLite has already rolled back the whole transaction.
      if (!file.inTransaction) throw error
      return { error }
    }
  }

  async function commit(): Promise<void> {
    await yieldToEventLoop()
    const writers = waiting.splice(0)
    try {
      for (const [index, outcome] of runAll.immediate(writers).entries()) {
        if ('error' in outcome) writers[index]?.reject(outcome.error)
        else writers[index]?.resolve(outcome.value)
      }
      onCommit()
    } catch (error) {
      for (const writer of writers) writer.reject(error)
    }
  }

  return action =>
    new Promise((resolve, reject) => {
      waiting.push({
        run: action,
        resolve: value => resolve(value as ReturnType<typeof action>),
        reject
      })
      if (waiting.length === 1) void commit()
    })
}
