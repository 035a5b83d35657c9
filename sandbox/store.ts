import BetterSqlite3 from 'better-sqlite3'
import {
  type SandboxKeys,
  RazorpayError,
  type Dispute,
  type Order,
  type Payment,
  type Refund
} from './objects.ts'

export interface Provider {
  store: Store
  keys: SandboxKeys
  /** In ms. */
  clock: () => number
  events: readonly string[] | undefined
  behaviour: Behaviour
}

/** Tests replace it to lose, repeat or delay webhooks, and to let refunds fail. */
export interface Behaviour {
  /** Undefined: no webhook is sent. The delay is in ms. */
  planDelivery(): { copies: number; delay: number } | undefined
  willRefundFail(): boolean
}

export interface Store {
  /** Returns a prepared statement. Statements that write must run inside `write`. */
  sql(text: string): BetterSqlite3.Statement<unknown[]>
  write: <T>(action: () => T) => Promise<T>
  close(): void
}

interface Entities {
  orders: Order
  payments: Payment
  refunds: Refund
  disputes: Dispute
}
export type Table = keyof Entities

// `entity` is Razorpay's object as JSON. Other columns repeat fields that queries use.
const SCHEMA = `
  create table if not exists orders (
    id text primary key, receipt text, created_at integer not null, entity text not null,
    capture text not null
  ) strict;
  create table if not exists payments (
    id text primary key, order_id text not null references orders (id), created_at integer not null,
    status text not null, entity text not null
  ) strict;
  create index if not exists payments_order on payments (order_id);
  create table if not exists refunds (
    id text primary key, payment_id text not null references payments (id),
    created_at integer not null, status text not null, entity text not null, idempotency_key text unique, request text
  ) strict;
  create table if not exists disputes (
    id text primary key, payment_id text not null references payments (id),
    created_at integer not null, entity text not null
  ) strict;
  create table if not exists events (
    id text primary key, name text not null, body text not null, created_at integer not null,
    next_at integer, copies integer not null default 1, attempts integer not null default 0
  ) strict;
  create index if not exists events_due on events (next_at) where next_at is not null;
`
const COLUMNS: Record<Table, readonly string[]> = {
  orders: ['id', 'receipt', 'created_at'],
  payments: ['id', 'order_id', 'created_at', 'status'],
  refunds: ['id', 'payment_id', 'created_at', 'status'],
  disputes: ['id', 'payment_id', 'created_at']
}

export function openStore(path: string, durable: boolean, onCommit: () => void): Store {
  const file = new BetterSqlite3(path, { timeout: 5000 })
  file.pragma('journal_mode = wal')
  file.pragma(`synchronous = ${durable ? 'full' : 'normal'}`)
  file.exec(SCHEMA)
  const statements = new Map<string, BetterSqlite3.Statement<unknown[]>>()
  return {
    sql(text) {
      const statement = statements.get(text) ?? file.prepare<unknown[]>(text)
      statements.set(text, statement)
      return statement
    },
    async write(action) {
      const value = file.transaction(action).immediate()
      onCommit()
      return value
    },
    close: () => file.close()
  }
}

export function find<T extends Table>(store: Store, table: T, id: string): Entities[T] {
  const [entity] = list(store, table, 'id = @id', { id })
  if (!entity) throw new RazorpayError('The id provided does not exist')
  return entity
}

export function list<T extends Table>(
  { sql }: Store,
  table: T,
  condition: string,
  values: Record<string, string | number | null>
): Entities[T][] {
  const rows = sql(`select entity from ${table} where ${condition}
    order by created_at desc, rowid desc limit @count offset @skip`).all({
    count: -1,
    skip: 0,
    ...values
  }) as { entity: string }[]
  return rows.map(({ entity }) => JSON.parse(entity) as Entities[T])
}

export function save<T extends Table>(
  { sql }: Store,
  table: T,
  entity: Entities[T],
  more: Record<string, string | null> = {}
): void {
  const fields = entity as unknown as Record<string, unknown>
  const row: Record<string, unknown> = { entity: JSON.stringify(entity), ...more }
  for (const column of COLUMNS[table]) row[column] = fields[column]
  const names = Object.keys(row)
  const changes = names.map(name => `${name} = @${name}`)
  if (sql(`update ${table} set ${changes.join()} where id = @id`).run(row).changes > 0) return
  const values = names.map(name => `@${name}`)
  sql(`insert into ${table} (${names.join()}) values (${values.join()})`).run(row)
}

export function unixNow({ clock }: Pick<Provider, 'clock'>): number {
  return Math.floor(clock() / 1000)
}
