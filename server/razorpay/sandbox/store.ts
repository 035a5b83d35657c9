import type BetterSqlite3 from 'better-sqlite3'
import { SECOND } from '#lib/time.ts'
import { openSqlite } from '../../platform/db/sqlite.ts'
import type { Clock } from '../../platform/process/clock.ts'
import type { SandboxKeys } from '../settings.ts'
import {
  type CaptureRule,
  type Dispute,
  type EventName,
  type Order,
  type Payment,
  type Refund,
  unknownIdError
} from './protocol.ts'

/** The state of the emulated provider, and what its answers depend on. */
export interface Provider {
  store: Store
  keys: SandboxKeys
  clock: Clock
  events: ReadonlySet<EventName>
  behaviour: Behaviour
}

/** Tests replace it to lose, repeat or delay webhooks, and to let refunds fail. */
export interface Behaviour {
  /**
   * Returns how many copies of a webhook to send and after how many ms, or undefined to send none.
   */
  planDelivery(): { copies: number; delay: number } | undefined
  willRefundFail(): boolean
}

export interface Store {
  /** Returns a prepared statement. Statements that write must run inside `write`. */
  sql(text: string): BetterSqlite3.Statement<unknown[]>
  /**
   * Runs the action and resolves after the commit. If the action throws, its changes are rolled
   * back.
   */
  write: <T>(action: () => T) => Promise<T>
  close(): void
}

interface Page {
  from?: number | undefined
  to?: number | undefined
  count?: number | undefined
  skip?: number | undefined
}

type Row = { entity: string }

const MAX_COUNT = 100
const DEFAULT_COUNT = 10

// The column `entity` contains Razorpay's object as JSON. Other columns repeat some of its fields
// for use in queries.
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
  create table if not exists disputes (
    id text primary key, payment_id text not null references payments (id), created_at integer not null,
    entity text not null
  ) strict;
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
  const file = openSqlite(path, 5 * SECOND)
  if (!durable) file.pragma('synchronous = normal')
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

export function unixNow({ clock }: Pick<Provider, 'clock'>): number {
  return Math.floor(clock() / 1000)
}

interface Entities {
  orders: Order
  payments: Payment
  refunds: Refund
  disputes: Dispute
}

/** Throws RazorpayError if the id is unknown. */
export function findEntity<Table extends keyof Entities>(
  { sql }: Store,
  table: Table,
  id: string
): Entities[Table] {
  const row = sql(`select entity from ${table} where id = ?`).get(id)
  if (!row) throw unknownIdError()
  return parseEntity<Entities[Table]>(row)
}

export function listEntities<Table extends Exclude<keyof Entities, 'orders'>>(
  { sql }: Store,
  table: Table,
  page: Page
): Entities[Table][] {
  return sql(
    `select entity from ${table} where created_at between @from and @to
       order by created_at desc, rowid desc limit @count offset @skip`
  )
    .all(toPageParameters(page))
    .map(parseEntity<Entities[Table]>)
}

export function readCaptureRule({ sql }: Store, orderId: string): CaptureRule {
  const { capture } = sql('select capture from orders where id = ?').get(orderId) as {
    capture: string
  }
  return JSON.parse(capture) as CaptureRule
}

export function listOrders(
  { sql }: Store,
  { receipt, ...page }: Page & { receipt?: string | undefined }
): Order[] {
  return sql(
    `select entity from orders where (@receipt is null or receipt = @receipt) and created_at between @from and @to
       order by created_at desc, rowid desc limit @count offset @skip`
  )
    .all({ receipt: receipt ?? null, ...toPageParameters(page) })
    .map(parseEntity<Order>)
}

export function insertOrder({ sql }: Store, order: Order, capture: CaptureRule): void {
  sql(
    'insert into orders (id, receipt, created_at, entity, capture) values (@id, @receipt, @created_at, ?, ?)'
  ).run(order, JSON.stringify(order), JSON.stringify(capture))
}

export function saveOrder({ sql }: Store, order: Order): void {
  sql('update orders set entity = ? where id = ?').run(JSON.stringify(order), order.id)
}

export function listOrderPayments({ sql }: Store, orderId: string): Payment[] {
  const statement = sql(
    'select entity from payments where order_id = ? order by created_at desc, rowid desc'
  )
  return statement.all(orderId).map(parseEntity<Payment>)
}

export function listAuthorized({ sql }: Store): Payment[] {
  return sql("select entity from payments where status = 'authorized'")
    .all()
    .map(parseEntity<Payment>)
}

export function savePayment({ sql }: Store, payment: Payment): void {
  sql(
    `insert into payments (id, order_id, created_at, status, entity) values (@id, @order_id, @created_at, @status, ?)
       on conflict (id) do update set status = excluded.status, entity = excluded.entity`
  ).run(payment, JSON.stringify(payment))
}

export function listRefunds({ sql }: Store, paymentId: string): Refund[] {
  const statement = sql(
    'select entity from refunds where payment_id = ? order by created_at desc, rowid desc'
  )
  return statement.all(paymentId).map(parseEntity<Refund>)
}

export function listPendingRefunds({ sql }: Store, maxCreatedAt: number): Refund[] {
  const statement = sql("select entity from refunds where status = 'pending' and created_at <= ?")
  return statement.all(maxCreatedAt).map(parseEntity<Refund>)
}

export function findRefundByKey(
  { sql }: Store,
  key: string
): { request: string; refund: Refund } | undefined {
  const row = sql('select request, entity from refunds where idempotency_key = ?').get(key) as
    | (Row & { request: string })
    | undefined
  return row && { request: row.request, refund: parseEntity<Refund>(row) }
}

export function insertRefund(
  { sql }: Store,
  refund: Refund,
  key: string | undefined,
  request: string
): void {
  sql(
    `insert into refunds (id, payment_id, created_at, status, entity, idempotency_key, request)
       values (@id, @payment_id, @created_at, @status, ?, ?, ?)`
  ).run(refund, JSON.stringify(refund), key ?? null, request)
}

export function saveRefund({ sql }: Store, refund: Refund): void {
  const statement = sql('update refunds set status = ?, entity = ? where id = ?')
  statement.run(refund.status, JSON.stringify(refund), refund.id)
}

function toPageParameters({
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
  count = DEFAULT_COUNT,
  skip = 0
}: Page): Required<Page> {
  return { from, to, count: Math.min(count, MAX_COUNT), skip }
}

function parseEntity<Entity>(row: unknown): Entity {
  return JSON.parse((row as Row).entity) as Entity
}
