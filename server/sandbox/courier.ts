import type { FastifyBaseLogger } from 'fastify'
import { DAY, HOUR, SECOND } from '#lib/time.ts'
import { listDueEvents, nextDueAt, saveDelivery, type DueEvent } from './provider/events.ts'
import type { Provider } from './provider/provider.ts'
import { hmac } from './provider/signatures.ts'

/** Tells the shop's webhook of what happened, as often as it takes. */
export interface Courier {
  /** From now on it sends what is due by itself. */
  start(log: Pick<FastifyBaseLogger, 'warn'>): void
  /** There may be something new. */
  wake(): void
  /** Sends what is due and waits for the answers. */
  deliver(): Promise<void>
  stop(): Promise<void>
}

/** Sends one event; says whether it was taken. */
export type Post = (url: string, body: string, headers: Record<string, string>, signal: AbortSignal) => Promise<boolean>

interface CourierOptions {
  provider: Provider
  url: string
  post: Post
  /** Until what was not taken is sent again for the first time, in ms. */
  firstPause: number
}

const ANSWER_TIME = 5 * SECOND
const LONGEST_PAUSE = HOUR
const MOST_AT_ONCE = 32
const LONGEST_TIMER = DAY

export function createCourier({ provider, url, post, firstPause }: CourierOptions): Courier {
  const { keys, clock, random } = provider
  const underway = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  let log: Pick<FastifyBaseLogger, 'warn'> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (log && !stopped.signal.aborted) sendDue()
  }

  function sendDue(): void {
    for (const event of listDueEvents(provider.store, clock(), MOST_AT_ONCE + underway.size)) {
      if (underway.size < MOST_AT_ONCE && !underway.has(event.id)) underway.set(event.id, send(event))
    }
    clearTimeout(timer)
    const next = nextDueAt(provider.store, clock())
    if (next === undefined || !log) return
    timer = setTimeout(wake, Math.min(Math.max(next - clock(), 1), LONGEST_TIMER))
    timer.unref()
  }

  async function send(event: DueEvent): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Razorpay-Webhook/v1',
      'x-razorpay-event-id': event.id,
      'x-razorpay-signature': hmac(keys.webhookSecret, event.body)
    }
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(ANSWER_TIME)])
    const taken = await post(url, event.body, headers, signal).catch(() => false)
    // Nothing is known about what was cut off by the end of this process: it is sent again.
    if (!stopped.signal.aborted) await provider.store.write(() => note(event, taken))
    underway.delete(event.id)
    wake()
  }

  function note(event: DueEvent, taken: boolean): void {
    const copies = taken ? event.copies - 1 : event.copies
    const attempts = taken ? event.attempts : event.attempts + 1
    saveDelivery(provider.store, { id: event.id, copies, attempts }, taken ? again(copies) : later(event, attempts))
  }

  function again(copies: number): number | null {
    return copies > 0 ? clock() + Math.round(random() * SECOND) : null
  }

  function later({ id, created_at }: DueEvent, attempts: number): number | null {
    if (clock() - created_at > DAY) {
      log?.warn({ event: id }, 'The sandbox gives up on a webhook that was not taken for a day')
      return null
    }
    const pause = Math.min(firstPause * 2 ** (attempts - 1), LONGEST_PAUSE)
    return clock() + Math.round(pause * (0.5 + random()))
  }

  return {
    wake,
    start(to) {
      log = to
    },
    async deliver() {
      sendDue()
      await Promise.all(underway.values())
    },
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await Promise.all(underway.values())
    }
  }
}

export const postByHttp: Post = async (url, body, headers, signal) => {
  const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'manual' })
  await response.body?.cancel()
  return response.ok
}
