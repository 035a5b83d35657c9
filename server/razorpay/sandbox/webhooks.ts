import type { FastifyBaseLogger } from 'fastify'
import { DAY, HOUR, SECOND } from '#lib/time.ts'
import { hmac } from '../signatures.ts'
import {
  createId,
  type Dispute,
  type EventName,
  type Order,
  type Payment,
  type Refund
} from './protocol.ts'
import { unixNow, type Provider, type Store } from './store.ts'

export interface WebhookSender {
  start(log: Pick<FastifyBaseLogger, 'warn'>): void
  wake(): void
  deliver(): Promise<void>
  stop(): Promise<void>
}

/** Sends a POST request. Returns true if the status of the answer is 2xx. */
export type Post = (
  url: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal
) => Promise<boolean>

interface WebhookSenderOptions {
  provider: Provider
  url: string
  post: Post
  firstRetryDelay: number
}

interface DueEvent {
  id: string
  body: string
  created_at: number
  copies: number
  attempts: number
}

type Payload = { payment: Payment; order?: Order; refund?: Refund; dispute?: Dispute }

const TIMEOUT = 5 * SECOND
const MAX_BACKOFF = HOUR
const MAX_CONCURRENT = 32
const MAX_TIMER_DELAY = DAY

/**
 * Queues a webhook with a copy of the given objects. Call this in the transaction that changes the
 * objects.
 */
export function queueEvent(provider: Provider, name: EventName, payload: Payload): void {
  const { store, clock, events, behaviour } = provider
  if (!events.has(name)) return
  const plan = behaviour.planDelivery()
  const [id, body, now] = [createId('evt'), toBody(provider, name, payload), clock()]
  store
    .sql(
      'insert into events (id, name, body, created_at, next_at, copies) values (?, ?, ?, ?, ?, ?)'
    )
    .run(id, name, body, now, plan ? now + plan.delay : null, plan?.copies ?? 0)
}

function listDueEvents({ sql }: Store, now: number, limit: number): DueEvent[] {
  const statement = sql(
    'select id, body, created_at, copies, attempts from events where next_at <= ? order by next_at limit ?'
  )
  return statement.all(now, limit) as DueEvent[]
}

function nextDueAt({ sql }: Store, now: number): number | undefined {
  const { at } = sql('select min(next_at) as at from events where next_at > ?').get(now) as {
    at: number | null
  }
  return at ?? undefined
}

function toBody(provider: Provider, event: EventName, payload: Payload): string {
  return JSON.stringify({
    entity: 'event',
    account_id: 'acc_SANDBOX',
    event,
    contains: Object.keys(payload),
    payload: Object.fromEntries(
      Object.entries(payload).map(([name, entity]) => [name, { entity }])
    ),
    created_at: unixNow(provider)
  })
}

export function createWebhookSender({
  provider,
  url,
  post,
  firstRetryDelay
}: WebhookSenderOptions): WebhookSender {
  const { keys, clock } = provider
  const inProgress = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  let log: Pick<FastifyBaseLogger, 'warn'> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (!log || stopped.signal.aborted) return
    try {
      sendDue()
    } catch (error) {
      wakeAfterFailure(error)
    }
  }

  // Without the delay, due events would be sent again and again while the disk is full.
  function wakeAfterFailure(error: unknown): void {
    log?.warn({ err: error }, 'Sandbox database failed, will retry')
    wakeIn(firstRetryDelay)
  }

  function wakeIn(delay: number): void {
    clearTimeout(timer)
    if (!log || stopped.signal.aborted) return
    timer = setTimeout(wake, delay)
    timer.unref()
  }

  function sendDue(): void {
    for (const event of listDueEvents(provider.store, clock(), MAX_CONCURRENT + inProgress.size)) {
      if (inProgress.size < MAX_CONCURRENT && !inProgress.has(event.id))
        inProgress.set(event.id, send(event))
    }
    clearTimeout(timer)
    const nextAt = nextDueAt(provider.store, clock())
    if (nextAt !== undefined) wakeIn(Math.min(Math.max(nextAt - clock(), 1), MAX_TIMER_DELAY))
  }

  async function send(event: DueEvent): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Razorpay-Webhook/v1',
      'x-razorpay-event-id': event.id,
      'x-razorpay-signature': hmac(keys.webhookSecret, event.body)
    }
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT)])
    const isAccepted = await post(url, event.body, headers, signal).catch(() => false)
    try {
      // If the sandbox is stopping, the result is unknown, so the event stays queued.
      if (!stopped.signal.aborted) await provider.store.write(() => saveResult(event, isAccepted))
    } catch (error) {
      // The event stays due and is sent again.
      inProgress.delete(event.id)
      return wakeAfterFailure(error)
    }
    inProgress.delete(event.id)
    wake()
  }

  function saveResult(event: DueEvent, isAccepted: boolean): void {
    const copies = isAccepted ? event.copies - 1 : event.copies
    const attempts = isAccepted ? event.attempts : event.attempts + 1
    const nextAt = isAccepted ? nextCopyAt(copies) : nextRetryAt(event, attempts)
    const statement = provider.store.sql(
      'update events set copies = ?, attempts = ?, next_at = ? where id = ?'
    )
    statement.run(copies, attempts, nextAt, event.id)
  }

  /** Null: the event is not sent again. */
  function nextCopyAt(copies: number): number | null {
    return copies > 0 ? clock() + Math.round(Math.random() * SECOND) : null
  }

  function nextRetryAt({ id, created_at }: DueEvent, attempts: number): number | null {
    if (clock() - created_at > DAY) {
      log?.warn({ event: id }, 'Webhook not accepted for a day, giving up')
      return null
    }
    const delay = Math.min(firstRetryDelay * 2 ** (attempts - 1), MAX_BACKOFF)
    return clock() + Math.round(delay * (0.5 + Math.random()))
  }

  return {
    wake,
    start(logger) {
      log = logger
    },
    async deliver() {
      sendDue()
      await Promise.all(inProgress.values())
    },
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await Promise.all(inProgress.values())
    }
  }
}

export const postByHttp: Post = async (url, body, headers, signal) => {
  const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'manual' })
  await response.body?.cancel()
  return response.ok
}
