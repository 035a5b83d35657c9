import { setTimeout as wait } from 'node:timers/promises'
import type { RandomInt } from '#server/platform/process/secret.ts'
import { pick } from '../../support/random.ts'
import type { Account } from './seed.ts'
import type { TestEnvironment } from './environment.ts'

export interface Observations {
  opened: Map<string, { buyer: string; providerOrder: string }>
  /** Payment ids by order id, for the orders that the shop confirmed to a buyer. */
  confirmed: Map<string, string>
  /** Provider orders to pay after their reservations have expired. */
  latePayments: string[]
  /** Failed payments that the bank confirms after the reservations of their orders have expired. */
  lateConfirmations: string[]
  pendingPayments: string[]
  /** Statuses and error codes, such as `503 UNAVAILABLE`. 0 stands for no reply. */
  replies: string[]
  violations: string[]
}

export function newObservations(): Observations {
  return {
    opened: new Map(),
    confirmed: new Map(),
    latePayments: [],
    lateConfirmations: [],
    pendingPayments: [],
    replies: [],
    violations: []
  }
}

/** `status` is 0 if there was no reply. */
export interface Reply {
  status: number
  body: unknown
}

export interface Buyer {
  env: TestEnvironment
  account: Account
  random: RandomInt
  observed: Observations
  closing: AbortSignal
}

const TIMEOUT_MS = 15_000
const RETRY_DELAY_MS = 200
const MAX_ATTEMPTS = 60

export async function call(
  { env, account, random, observed }: Buyer,
  requestLine: string,
  body?: object
): Promise<Reply> {
  const [method = '', path = ''] = requestLine.split(' ')
  const { url } = pick(env.servers, random)
  const headers = {
    authorization: `Bearer ${account.token}`,
    'x-forwarded-for': account.ip,
    ...(body && { 'content-type': 'application/json' })
  }
  const init = {
    method,
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body && { body: JSON.stringify(body) })
  }
  const reply = await fetch(`${url}/api${path}`, init)
    .then(
      async (response): Promise<Reply> => ({
        status: response.status,
        body: JSON.parse(await response.text())
      }),
      () => NO_REPLY
    )
    .catch(() => NO_REPLY)
  const { code = '' } = (reply.body ?? {}) as { code?: string }
  observed.replies.push(`${reply.status} ${code}`.trim())
  if (!EXPECTED_STATUSES.has(reply.status)) {
    observed.violations.push(
      `${requestLine} replied with ${reply.status}: ${JSON.stringify(reply.body)}`
    )
  }
  return reply
}

/**
 * Statuses that a correct client may receive, for example when a product sells out or the provider
 * is down.
 */
const EXPECTED_STATUSES = new Set([0, 200, 201, 202, 409, 429, 503])

const NO_REPLY: Reply = { status: 0, body: undefined }

/** Retries if there is no reply or the status is 429 or 503. */
export async function callWithRetry(
  buyer: Buyer,
  requestLine: string,
  body?: object
): Promise<Reply> {
  let reply = NO_REPLY
  for (let attempt = 0; attempt < MAX_ATTEMPTS && !buyer.closing.aborted; attempt++) {
    reply = await call(buyer, requestLine, body)
    if (reply.status !== 0 && reply.status !== 503 && reply.status !== 429) break
    await wait(RETRY_DELAY_MS, undefined, { signal: buyer.closing }).catch(() => undefined)
  }
  return reply
}
