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
import { createFaultySandbox, type FaultSettings } from '../../support/sandbox-faults.ts'

interface ProviderOptions {
  folder: string
  webhookUrl: string
  clock: Clock
}

export async function startProvider({ folder, webhookUrl, clock }: ProviderOptions) {
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
  ) {
    const reply = await app.inject({ method, url: `/_emu${path}`, payload })
    if (reply.statusCode !== 200) throw new ProviderRefusal(`${path} was refused: ${reply.body}`)
    return reply.json<Answer>()
  }

  return {
    settings: {
      RAZORPAY_KEY_ID: keys.keyId,
      RAZORPAY_KEY_SECRET: keys.keySecret,
      RAZORPAY_WEBHOOK_SECRET: keys.webhookSecret,
      RAZORPAY_API_BASE: `${url}/v1`,
      RAZORPAY_CHECKOUT_URL: `${url}/v1/checkout.js`
    },
    setFaults: (faults: FaultSettings): Promise<void> => control('PUT', '/faults', faults),
    /** Throws `ProviderRefusal` if the order accepts no more payments. */
    pay: (order_id: string): Promise<PaymentResponse> => control('POST', '/pay', { order_id }),
    payAgain: (order_id: string): Promise<PaymentResponse> =>
      control('POST', '/pay2', { order_id }),
    /** The bank does not answer yet. */
    async payPending(order_id: string) {
      const attempt = { order_id, outcome: 'pending' }
      return (await control<PaymentResponse>('POST', '/pay', attempt)).razorpay_payment_id
    },
    completePayment: (payment_id: string, outcome: 'paid' | 'failed'): Promise<void> =>
      control('POST', '/late', { payment_id, outcome }),
    /** Resolves when all webhooks have been delivered, or after the timeout. */
    async waitForWebhooks(timeoutMs: number) {
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
}

/** The provider refuses a payment if, for example, the order is already paid. */
export function rethrowUnlessRefused(error: unknown): void {
  if (!(error instanceof ProviderRefusal)) throw error
}

function readRecords(file: string) {
  const database = new BetterSqlite3(file, { readonly: true })
  const all = <Entity>(table: string): Entity[] =>
    (database.prepare(`select entity from ${table}`).all() as { entity: string }[]).map(
      ({ entity }) => JSON.parse(entity) as Entity
    )
  const records = {
    orders: all<Order>('orders'),
    payments: all<Payment>('payments'),
    refunds: all<Refund>('refunds')
  }
  database.close()
  return records
}
