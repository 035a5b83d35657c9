import type { FastifyBaseLogger } from 'fastify'
import { sign, createId, type Dispute, type Order, type Payment, type Refund } from './objects.ts'
import type { Provider } from './store.ts'

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

interface Payload {
  payment: Payment
  order?: Order
  refund?: Refund
  dispute?: Dispute
}

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const TIMEOUT = 5 * SECOND
const MAX_CONCURRENT = 32

export function queueEvent(provider: Provider, event: string, payload: Payload): void {
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

interface Sender {
  url: string
  post: Post
  /** In ms. */
  firstRetryDelay: number
  log(): Pick<FastifyBaseLogger, 'warn'> | undefined
}

export interface WebhookSender {
  sendDue(): void
  idle(): Promise<unknown>
  stop(): Promise<unknown>
}

export function createWebhookSender(provider: Provider, sender: Sender): WebhookSender {
  const { clock } = provider
  const running = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  const idle = (): Promise<unknown> => Promise.all(running.values())

  function sendDue(): void {
    const due = provider.store
      .sql('select * from events where next_at <= ? order by next_at limit ?')
      .all(clock(), MAX_CONCURRENT + running.size) as DueEvent[]
    for (const event of due) {
      if (running.size >= MAX_CONCURRENT) return
      if (!running.has(event.id)) running.set(event.id, send(event))
    }
  }

  async function send(event: DueEvent): Promise<void> {
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
