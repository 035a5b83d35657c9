import { createId, type EventName, type Order, type Payment, type Refund } from './entities.ts'
import { unixNow, type Provider } from './provider.ts'
import type { Store } from './store.ts'

export interface DueEvent {
  id: string
  body: string
  created_at: number
  copies: number
  attempts: number
}

/** Queues a webhook with a copy of the given objects. Call this in the transaction that changes the objects. */
export function queueEvent(provider: Provider, name: EventName, payload: Payload): void {
  const { store, clock, random, events, faults } = provider
  if (!events.has(name)) return
  const plan = faults.planDelivery()
  const now = clock()
  store
    .sql('insert into events (id, name, body, created_at, next_at, copies) values (?, ?, ?, ?, ?, ?)')
    .run(
      createId('evt', random),
      name,
      toBody(provider, name, payload),
      now,
      plan ? now + plan.delay : null,
      plan?.copies ?? 0
    )
}

export function listDueEvents({ sql }: Store, now: number, limit: number): DueEvent[] {
  const statement = sql(
    'select id, body, created_at, copies, attempts from events where next_at <= ? order by next_at limit ?'
  )
  return statement.all(now, limit) as DueEvent[]
}

export function nextDueAt({ sql }: Store, now: number): number | undefined {
  const { at } = sql('select min(next_at) as at from events where next_at > ?').get(now) as { at: number | null }
  return at ?? undefined
}

/** Pass null as `nextAt` if the event was delivered or will not be sent again. */
export function saveDelivery(
  { sql }: Store,
  event: Omit<DueEvent, 'body' | 'created_at'>,
  nextAt: number | null
): void {
  const statement = sql('update events set copies = ?, attempts = ?, next_at = ? where id = ?')
  statement.run(event.copies, event.attempts, nextAt, event.id)
}

export function countWaitingEvents({ sql }: Store): number {
  const row = sql('select count(*) as count from events where next_at is not null').get() as { count: number }
  return row.count
}

/** Sends all events again and returns their number. Razorpay's dashboard can do the same. */
export function replayEvents({ store, clock }: Provider): Promise<number> {
  return store.write(() => store.sql('update events set next_at = ?, copies = max(copies, 1)').run(clock()).changes)
}

type Payload = { payment: Payment; order?: Order; refund?: Refund }

function toBody(provider: Provider, event: EventName, payload: Payload): string {
  const { refund, payment, order } = payload
  const entities = { ...(refund && { refund }), payment, ...(order && { order }) }
  return JSON.stringify({
    entity: 'event',
    account_id: 'acc_SANDBOX',
    event,
    contains: Object.keys(entities),
    payload: Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }])),
    created_at: unixNow(provider)
  })
}
