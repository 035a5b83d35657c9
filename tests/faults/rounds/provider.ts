import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  readSandboxKeys,
  type SandboxKeys,
  type Order,
  type Payment,
  type Refund,
  type PaymentResponse
} from '../../../sandbox/objects.ts'
import type { ProviderState } from '../../support/invariants.ts'
import { FAST_CLOCK, FAST_CLOCK_MODULE, fastClockSetting, type FastClock } from './fast-clock.ts'
import { startProcess, type ChildCommand } from '../../support/child-command.ts'

export interface Provider {
  settings: Record<string, string>
  /**
   * `authorized` means not captured. Throws `ProviderRefusal` if the order accepts no more
   * payments.
   */
  pay(orderId: string, outcome?: 'paid' | 'authorized'): Promise<PaymentResponse>
  attempt(orderId: string, outcome: 'failed' | 'pending'): Promise<string>
  payAgain(orderId: string): Promise<PaymentResponse>
  completePayment(paymentId: string, outcome: 'paid' | 'failed'): Promise<void>
  setFaults(faults: Record<string, number>): Promise<void>
  replayWebhooks(): Promise<void>
  /** Resolves when all webhooks have been delivered, or after the timeout. */
  waitForWebhooks(timeoutMs: number): Promise<void>
  records(): ProviderRecords
  restart(downtimeMs: number): Promise<void>
  stop(): Promise<void>
}

export interface ProviderRecords extends ProviderState {
  idempotencyKeys: Map<string, string | null>
}

/** Timers of at least this length use the fast clock. They are the delays between webhooks. */
const MIN_SCALED_DELAY_MS = 1500
const RETRY_DELAY_MS = 100
const MAX_ATTEMPTS = 300
const START_TIMEOUT_MS = 60_000

export async function startProvider({
  folder,
  port,
  webhookUrl,
  clock
}: {
  folder: string
  port: number
  webhookUrl: string
  clock?: FastClock | undefined
}): Promise<Provider> {
  const url = `http://127.0.0.1:${port}`
  const keys = await readSandboxKeys(folder)
  const settings: Record<string, string> = clock
    ? { [FAST_CLOCK]: fastClockSetting(clock, MIN_SCALED_DELAY_MS) }
    : {}
  let faults = {}
  let command = await start()

  async function start(): Promise<ChildCommand> {
    const started = startProcess(
      ['tests/faults/rounds/sandbox-process.ts', String(port), folder, webhookUrl],
      settings,
      clock && [FAST_CLOCK_MODULE]
    )
    await waitUntilReady(started, `${url}/_emu/faults`)
    return started
  }

  async function control<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const sent = body && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' }
    }
    const response = await retry(() => fetch(`${url}/_emu${path}`, { method, ...sent }))
    const answer: unknown = await response.json()
    if (!response.ok)
      throw new ProviderRefusal(`${path} replied with status ${response.status}`, answer)
    return answer as Answer
  }

  async function setFaults(newFaults: Record<string, number>): Promise<void> {
    faults = newFaults
    await control('PUT', '/faults', newFaults)
  }

  return {
    settings: createSettings(url, keys),
    setFaults,
    pay: (order_id, outcome = 'paid') => control('POST', '/pay', { order_id, outcome }),
    payAgain: order_id => control('POST', '/pay2', { order_id }),
    async attempt(order_id, outcome) {
      const attempt = control<PaymentResponse>('POST', '/pay', { order_id, outcome })
      return attempt.then(({ razorpay_payment_id }) => razorpay_payment_id, failedPaymentId)
    },
    completePayment: async (payment_id, outcome) =>
      void (await control('POST', '/late', { payment_id, outcome })),
    replayWebhooks: () => control('POST', '/replay'),
    async waitForWebhooks(timeoutMs) {
      for (const until = performance.now() + timeoutMs; performance.now() < until; await wait(50)) {
        if ((await control<{ waiting: number }>('GET', '/events')).waiting === 0) return
      }
    },
    records: () => readRecords(join(folder, 'sandbox.db')),
    async restart(downtimeMs) {
      await command.stop('SIGKILL')
      await wait(downtimeMs)
      command = await start()
      await setFaults(faults)
    },
    stop: async () => void (await command.stop('SIGTERM'))
  }
}

async function retry(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
      await wait(RETRY_DELAY_MS)
    }
  }
}

export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  readonly answer: unknown

  constructor(message: string, answer: unknown) {
    super(message)
    this.answer = answer
  }
}

/** The provider refuses a payment if, for example, the order is already paid. */
export function rethrowUnlessRefused(error: unknown): void {
  if (!(error instanceof ProviderRefusal)) throw error
}

interface FailedAttempt {
  error?: { metadata?: { payment_id?: string } }
}

function failedPaymentId(error: unknown): string {
  if (!(error instanceof ProviderRefusal)) throw error
  const id = (error.answer as FailedAttempt).error?.metadata?.payment_id
  if (id === undefined) throw error
  return id
}

function createSettings(
  url: string,
  { keyId, keySecret, webhookSecret }: SandboxKeys
): Record<string, string> {
  return {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
    RAZORPAY_API_BASE: `${url}/v1`,
    RAZORPAY_CHECKOUT_URL: `${url}/v1/checkout.js`
  }
}

function readRecords(file: string): ProviderRecords {
  const database = new BetterSqlite3(file, { readonly: true })
  const all = <Entity>(table: string): Entity[] =>
    (database.prepare(`select entity from ${table}`).all() as { entity: string }[]).map(
      ({ entity }) => JSON.parse(entity) as Entity
    )
  try {
    const keyRows = database.prepare('select id, idempotency_key from refunds').raw().all() as [
      string,
      string | null
    ][]
    const idempotencyKeys = new Map(keyRows)
    const [orders, payments, refunds] = [
      all<Order>('orders'),
      all<Payment>('payments'),
      all<Refund>('refunds')
    ]
    return { orders, payments, refunds, idempotencyKeys }
  } finally {
    database.close()
  }
}

/** Resolves when the URL replies with 200. Throws the command's output if it exits or times out. */
export async function waitUntilReady(command: ChildCommand, url: string): Promise<void> {
  for (const until = performance.now() + START_TIMEOUT_MS; command.isRunning(); await wait(25)) {
    const isUp = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      async response => (await response.text(), response.ok),
      () => false
    )
    if (isUp) return
    if (performance.now() > until) break
  }
  throw new Error(`${url} does not reply: ${Object.values(command.output()).join('')}`)
}
