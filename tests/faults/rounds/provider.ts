import BetterSqlite3 from 'better-sqlite3'
import Fastify from 'fastify'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#lib/time.ts'
import {
  readSandboxKeys,
  type Order,
  type Payment,
  type Refund,
  type PaymentResponse
} from '../../../sandbox/objects.ts'
import type { ProviderState } from '../../support/invariants.ts'
import { createFaultySandbox } from '../../support/sandbox-faults.ts'

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
  stop(): Promise<void>
}

export interface ProviderRecords extends ProviderState {
  idempotencyKeys: Map<string, string | null>
}

interface ProviderOptions {
  folder: string
  webhookUrl: string
  clock?: Clock
}

export async function startProvider({
  folder,
  webhookUrl,
  clock = Date.now
}: ProviderOptions): Promise<Provider> {
  const keys = await readSandboxKeys(folder)
  const file = join(folder, 'sandbox.db')
  const options = { file, durable: false, keys, webhookUrl, clock }
  // Without a limit for the start of plugins, because the machine is busy.
  const app = Fastify({ forceCloseConnections: true, pluginTimeout: 0 })
  await app.register(createFaultySandbox(options).plugin)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  async function control<Answer>(
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    payload: object = {}
  ): Promise<Answer> {
    const reply = await app.inject({ method, url: `/_emu${path}`, payload })
    const answer: unknown = reply.json()
    if (reply.statusCode !== 200)
      throw new ProviderRefusal(`${path} replied with status ${reply.statusCode}`, answer)
    return answer as Answer
  }

  return {
    settings: {
      RAZORPAY_KEY_ID: keys.keyId,
      RAZORPAY_KEY_SECRET: keys.keySecret,
      RAZORPAY_WEBHOOK_SECRET: keys.webhookSecret,
      RAZORPAY_API_BASE: `${url}/v1`,
      RAZORPAY_CHECKOUT_URL: `${url}/v1/checkout.js`
    },
    setFaults: faults => control('PUT', '/faults', faults),
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
    records: () => readRecords(file),
    stop: () => app.close()
  }
}

class ProviderRefusal extends Error {
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

function readRecords(file: string): ProviderRecords {
  const database = new BetterSqlite3(file, { readonly: true })
  const all = <Entity>(table: string): Entity[] =>
    (database.prepare(`select entity from ${table}`).all() as { entity: string }[]).map(
      ({ entity }) => JSON.parse(entity) as Entity
    )
  const keyRows = database.prepare('select id, idempotency_key from refunds').raw().all()
  const records = {
    orders: all<Order>('orders'),
    payments: all<Payment>('payments'),
    refunds: all<Refund>('refunds'),
    idempotencyKeys: new Map(keyRows as [string, string | null][])
  }
  database.close()
  return records
}
