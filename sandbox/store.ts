import BetterSqlite3 from 'better-sqlite3'
import type { FastifyBaseLogger } from 'fastify'
import {
  createId,
  type Dispute,
  type Order,
  type Payment,
  RazorpayError,
  type Refund,
  type SandboxKeys,
  sign
} from './objects.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const TIMEOUT = 5 * SECOND
const MAX_CONCURRENT = 32

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

export type Post = (
  url: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal
) => Promise<boolean>

interface DueEvent {
  id: string
  body: string
  created_at: number
  copies: number
  attempts: number
}

export function queueEvent(
  provider: Provider,
  event: string,
  payload: { payment: Payment; order?: Order; refund?: Refund; dispute?: Dispute }
): void {
  const { store, clock, events, behaviour } = provider
  if (events && !events.includes(event)) return
  const plan = behaviour.planDelivery()
  const now = clock()
  const entities = Object.entries(payload).map(([name, entity]) => [name, { entity }])
  const body = JSON.stringify({
    entity: 'event',
    account_id: 'acc_SANDBOX',
    event,
    contains: Object.keys(payload),
    payload: Object.fromEntries(entities),
    created_at: Math.floor(now / SECOND)
  })
  store
    .sql(
      'insert into events (id, name, body, created_at, next_at, copies) values (?, ?, ?, ?, ?, ?)'
    )
    .run(createId('evt'), event, body, now, plan ? now + plan.delay : null, plan?.copies ?? 0)
}

interface WebhookSender {
  sendDue(): void
  idle(): Promise<unknown>
  stop(): Promise<unknown>
}

export function createWebhookSender(
  provider: Provider,
  sender: {
    url: string
    post: Post
    /** In ms. */
    firstRetryDelay: number
    log(): Pick<FastifyBaseLogger, 'warn'> | undefined
  }
): WebhookSender {
  const { clock } = provider
  const running = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  const idle = (): Promise<unknown> => Promise.all(running.values())

  function sendDue() {
    const due = provider.store
      .sql('select * from events where next_at <= ? order by next_at limit ?')
      .all(clock(), MAX_CONCURRENT + running.size) as DueEvent[]
    for (const event of due) {
      if (running.size >= MAX_CONCURRENT) return
      if (!running.has(event.id)) running.set(event.id, send(event))
    }
  }

  async function send(event: DueEvent) {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Razorpay-Webhook/v1',
      'x-razorpay-event-id': event.id,
      'x-razorpay-signature': sign(provider.keys.webhookSecret, event.body)
    }
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT)])
    const isAccepted = await sender.post(sender.url, event.body, headers, signal).catch(() => false)
    // If the sandbox stops, or the disk is full, the event stays due and is sent again.
    if (!stopped.signal.aborted)
      await saveResult(event, isAccepted).catch((err: unknown) =>
        sender.log()?.warn({ err }, 'Sandbox database failed, will retry')
      )
    running.delete(event.id)
  }

  function saveResult(event: DueEvent, isAccepted: boolean): Promise<unknown> {
    const { id, created_at } = event
    const copies = event.copies - (isAccepted ? 1 : 0)
    const attempts = event.attempts + (isAccepted ? 0 : 1)
    const delay = Math.min(sender.firstRetryDelay * 2 ** (attempts - 1), HOUR)
    const wait = isAccepted ? Math.random() * SECOND : delay * (0.5 + Math.random())
    const hasEnded = isAccepted ? copies === 0 : clock() - created_at > DAY
    if (hasEnded && !isAccepted)
      sender.log()?.warn({ event: id }, 'Webhook not accepted for a day, giving up')
    const nextAt = hasEnded ? null : clock() + Math.round(wait)
    return provider.store.write(() =>
      provider.store
        .sql('update events set copies = ?, attempts = ?, next_at = ? where id = ?')
        .run(copies, attempts, nextAt, id)
    )
  }

  return {
    sendDue,
    idle,
    stop() {
      stopped.abort()
      return idle()
    }
  }
}

export const postByHttp: Post = async (url, body, headers, signal) => {
  const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'manual' })
  await response.body?.cancel()
  return response.ok
}
