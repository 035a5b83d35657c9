import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sandboxKeys, type SandboxKeys } from '#server/payment-settings.ts'
import type { Order, Payment, Refund } from '#server/sandbox/provider/entities.ts'
import type { PaymentProof } from '#server/sandbox/provider/signatures.ts'
import type { ProviderBook } from '../../support/invariants.ts'
import { HASTE, HASTEN, hasteSetting, type Haste } from './haste.ts'
import { startProcess, type Process } from './process.ts'

/** The payment provider, in a process of its own that outlives every shop. */
export interface Provider {
  /** The settings with which a shop uses it. */
  settings: Record<string, string>
  /** Somebody pays; `held`: nobody collects it. Throws when the provider takes no payment for that order any more. */
  pay(orderId: string, outcome?: 'paid' | 'held'): Promise<PaymentProof>
  /** An attempt that comes to nothing, or has not ended; answers its payment. */
  attempt(orderId: string, outcome: 'failed' | 'pending'): Promise<string>
  /** A second payment of an order that may be paid already. */
  payAgain(orderId: string): Promise<PaymentProof>
  /** The bank's answer to an attempt that had not ended. */
  answer(paymentId: string, outcome: 'paid' | 'failed'): Promise<void>
  /** Replaces what goes wrong by itself. */
  trouble(faults: Record<string, number>): Promise<void>
  /** Tells every event once more. */
  replay(): Promise<void>
  /** Waits until there is nothing left to tell, at most so many ms. */
  toldAll(patience: number): Promise<void>
  /** All that it knows, from its own file. */
  book(): Book
  /** Is away for so many ms, killed at any moment; what it has answered it knows afterwards. */
  vanish(ms: number): Promise<void>
  stop(): Promise<void>
}

export interface Book extends ProviderBook {
  /** The idempotency key with which each refund was asked for, by the refund's id. */
  keys: Map<string, string | null>
}

interface Place {
  folder: string
  port: number
  webhookUrl: string
  /** Time as usual without it. */
  haste?: Haste
}

/** From so many ms on its pauses are shortened: those between webhooks. */
const SHORTENED = 1500
const PAUSE = 100
const MOST_TRIES = 300

export async function startProvider({ folder, port, webhookUrl, haste }: Place): Promise<Provider> {
  const url = `http://127.0.0.1:${port}`
  const keys = await sandboxKeys(folder)
  const options = ['--port', String(port), '--data', folder, '--webhook-url', webhookUrl, '--no-sync']
  const settings: Record<string, string> = haste ? { [HASTE]: hasteSetting(haste, SHORTENED) } : {}
  let faults = {}
  let command = await start()

  async function start(): Promise<Process> {
    const started = startProcess(['server/sandbox/main.ts', ...options], settings, haste && [HASTEN])
    await listening(started, `${url}/_emu/faults`)
    return started
  }

  async function control<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await persist(() => fetch(`${url}/_emu${path}`, { method, ...sent }))
    const answer: unknown = await response.json()
    if (!response.ok) throw new ProviderRefusal(`${path} answered ${response.status}`, answer)
    return answer as Answer
  }

  async function trouble(wanted: Record<string, number>): Promise<void> {
    faults = wanted
    await control('PUT', '/faults', wanted)
  }

  return {
    settings: settingsFor(url, keys),
    trouble,
    pay: (order_id, outcome = 'paid') => control('POST', '/pay', { order_id, outcome }),
    payAgain: order_id => control('POST', '/pay2', { order_id }),
    async attempt(order_id, outcome) {
      const begun = control<PaymentProof>('POST', '/pay', { order_id, outcome })
      return begun.then(({ razorpay_payment_id }) => razorpay_payment_id, paymentOf)
    },
    answer: async (payment_id, outcome) => void (await control('POST', '/late', { payment_id, outcome })),
    replay: () => control('POST', '/replay'),
    async toldAll(patience) {
      for (const until = performance.now() + patience; performance.now() < until; await wait(50)) {
        if ((await control<{ waiting: number }>('GET', '/events')).waiting === 0) return
      }
    },
    book: () => readBook(join(folder, 'sandbox.db')),
    async vanish(ms) {
      await command.end('SIGKILL')
      await wait(ms)
      command = await start()
      await trouble(faults)
    },
    stop: async () => void (await command.end('SIGTERM'))
  }
}

/** Whoever wants to pay while the provider is away tries again. */
async function persist(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (attempt === MOST_TRIES) throw error
      await wait(PAUSE)
    }
  }
}

/** The provider does not do what it was asked. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  readonly answer: unknown

  constructor(message: string, answer: unknown) {
    super(message)
    this.answer = answer
  }
}

interface FailedAttempt {
  error?: { metadata?: { payment_id?: string } }
}

function paymentOf(error: unknown): string {
  if (!(error instanceof ProviderRefusal)) throw error
  const id = (error.answer as FailedAttempt).error?.metadata?.payment_id
  if (id === undefined) throw error
  return id
}

function settingsFor(url: string, { keyId, keySecret, webhookSecret }: SandboxKeys): Record<string, string> {
  return {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
    RAZORPAY_API_BASE: `${url}/v1`,
    RAZORPAY_CHECKOUT_URL: `${url}/v1/checkout.js`
  }
}

function readBook(file: string): Book {
  const database = new BetterSqlite3(file, { readonly: true })
  const all = <Entity>(table: string): Entity[] =>
    (database.prepare(`select entity from ${table}`).all() as { entity: string }[]).map(
      ({ entity }) => JSON.parse(entity) as Entity
    )
  try {
    const keyed = database.prepare('select id, idempotency_key from refunds').raw().all() as [string, string | null][]
    const keys = new Map(keyed)
    return { orders: all<Order>('orders'), payments: all<Payment>('payments'), refunds: all<Refund>('refunds'), keys }
  } finally {
    database.close()
  }
}

/** Waits until a command answers 200 at an address. Throws what it said if it ends before. */
export async function listening(command: Process, url: string, patience = 60_000): Promise<void> {
  for (const until = performance.now() + patience; command.running(); await wait(25)) {
    const isUp = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      async response => (await response.text(), response.ok),
      () => false
    )
    if (isUp) return
    if (performance.now() > until) break
  }
  throw new Error(`${url} does not answer: ${command.said()}`)
}
