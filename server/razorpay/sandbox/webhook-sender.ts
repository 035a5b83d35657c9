import type { FastifyBaseLogger } from 'fastify'
import { DAY, HOUR, SECOND } from '#lib/time.ts'
import { listDueEvents, nextDueAt, saveDelivery, type DueEvent } from './provider/events.ts'
import type { Provider } from './provider/provider.ts'
import { hmac } from './provider/signatures.ts'

export interface WebhookSender {
  start(log: Pick<FastifyBaseLogger, 'warn'>): void
  wake(): void
  deliver(): Promise<void>
  stop(): Promise<void>
}

/** Sends a POST request. Returns true if the status of the answer is 2xx. */
export type Post = (url: string, body: string, headers: Record<string, string>, signal: AbortSignal) => Promise<boolean>

interface WebhookSenderOptions {
  provider: Provider
  url: string
  post: Post
  firstRetryDelay: number
}

const TIMEOUT = 5 * SECOND
const MAX_BACKOFF = HOUR
const MAX_CONCURRENT = 32
const MAX_TIMER_DELAY = DAY

export function createWebhookSender({ provider, url, post, firstRetryDelay }: WebhookSenderOptions): WebhookSender {
  const { keys, clock, random } = provider
  const inProgress = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  let log: Pick<FastifyBaseLogger, 'warn'> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (log && !stopped.signal.aborted) sendDue()
  }

  function sendDue(): void {
    for (const event of listDueEvents(provider.store, clock(), MAX_CONCURRENT + inProgress.size)) {
      if (inProgress.size < MAX_CONCURRENT && !inProgress.has(event.id)) inProgress.set(event.id, send(event))
    }
    clearTimeout(timer)
    const nextAt = nextDueAt(provider.store, clock())
    if (nextAt === undefined || !log) return
    timer = setTimeout(wake, Math.min(Math.max(nextAt - clock(), 1), MAX_TIMER_DELAY))
    timer.unref()
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
    // If the sandbox is stopping, the result is unknown, so the event stays queued.
    if (!stopped.signal.aborted) await provider.store.write(() => saveResult(event, isAccepted))
    inProgress.delete(event.id)
    wake()
  }

  function saveResult(event: DueEvent, isAccepted: boolean): void {
    const copies = isAccepted ? event.copies - 1 : event.copies
    const attempts = isAccepted ? event.attempts : event.attempts + 1
    saveDelivery(
      provider.store,
      { id: event.id, copies, attempts },
      isAccepted ? nextCopyAt(copies) : nextRetryAt(event, attempts)
    )
  }

  function nextCopyAt(copies: number): number | null {
    return copies > 0 ? clock() + Math.round(random() * SECOND) : null
  }

  function nextRetryAt({ id, created_at }: DueEvent, attempts: number): number | null {
    if (clock() - created_at > DAY) {
      log?.warn({ event: id }, 'Webhook not accepted for a day, giving up')
      return null
    }
    const delay = Math.min(firstRetryDelay * 2 ** (attempts - 1), MAX_BACKOFF)
    return clock() + Math.round(delay * (0.5 + random()))
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
