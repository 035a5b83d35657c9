import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import * as z from 'zod/mini'
import { SECOND } from '#lib/time.ts'
import { parseJson } from '../platform/http/validate.ts'
import {
  listOf,
  ProviderDispute,
  ProviderOrder,
  ProviderPayment,
  ProviderRefund,
  type ProviderOrderDraft,
  type Period
} from './objects.ts'
import type { PaymentSettings } from './config.ts'

export type {
  ProviderOrderDraft,
  ProviderDispute,
  ProviderOrder,
  ProviderPayment,
  ProviderRefund
} from './objects.ts'

export interface Payments {
  settings: PaymentSettings
  gateway: PaymentGateway
}

/** Every call ends within seconds and may throw PaymentError. */
export interface PaymentGateway {
  /** Not idempotent. If the response is lost, call `findOrder` before the next attempt. */
  createOrder(draft: ProviderOrderDraft): Promise<ProviderOrder>
  findOrder(receipt: string): Promise<ProviderOrder | undefined>
  fetchOrder(id: string): Promise<ProviderOrder>
  listOrderPayments(orderId: string): Promise<ProviderPayment[]>
  fetchPayment(id: string): Promise<ProviderPayment>
  listPayments(period: Period): Promise<ProviderPayment[]>
  capture(payment: Pick<ProviderPayment, 'id' | 'amount' | 'currency'>): Promise<ProviderPayment>
  /** A second call with the same key and body refunds nothing. It returns the first refund. */
  refund(paymentId: string, key: string, body: string): Promise<ProviderRefund>
  fetchRefund(id: string): Promise<ProviderRefund>
  listRefunds(paymentId: string): Promise<ProviderRefund[]>
  listRecentRefunds(period: Period): Promise<ProviderRefund[]>
  fetchDispute(id: string): Promise<ProviderDispute>
  listDisputes(): Promise<ProviderDispute[]>
}

interface RequestOptions {
  /** Time limit for the complete response, in ms. */
  timeout?: number
  /** Of idempotent calls, in ms, varied by up to 50 %. */
  backoff?: readonly number[]
}

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** Idempotency key. Only GET calls and calls with a key are retried. */
  key?: string
}

export const PAGE_SIZE = 100

const TIMEOUT = 5 * SECOND
const BACKOFF = [SECOND / 5, SECOND]
const MAX_RESPONSE_SIZE = 8 * 1024 * 1024

// In minutes. Razorpay captures a payment within 12 minutes, or refunds it after 5 days.
const CAPTURE = {
  capture: 'automatic',
  capture_options: {
    automatic_expiry_period: 12,
    manual_expiry_period: 7200,
    refund_speed: 'normal'
  }
} as const

const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    description: z.string(),
    reason: z.nullish(z.string()),
    field: z.nullish(z.string())
  })
})

/** `content`: the request always fails. `not_live`: nothing was sent by a copy of the shop. */
type Problem = 'timeout' | 'wrong_key' | 'content' | 'not_live'

/** `unavailable`: it may have succeeded. `refused`: the reason is in `message`. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly kind: 'unavailable' | 'refused'
  readonly status: number | undefined
  readonly problem: Problem | undefined

  constructor(
    kind: PaymentError['kind'],
    message: string,
    {
      status,
      problem,
      ...options
    }: ErrorOptions & { status?: number; problem?: Problem | undefined } = {}
  ) {
    super(message, options)
    this.kind = kind
    this.status = status
    this.problem = problem
  }
}

export function createRazorpay(
  settings: PaymentSettings,
  options: RequestOptions = {}
): PaymentGateway {
  const send = createSend(settings, options)
  const orders = listOf(ProviderOrder)
  const payments = listOf(ProviderPayment)
  const refunds = listOf(ProviderRefund)
  const disputes = listOf(ProviderDispute)

  const get = async <Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema
  ): Promise<z.infer<Schema>> => validate(schema, await send({ method: 'GET', path }))
  const post = async <Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
    body: string,
    idempotency: Pick<Call, 'key'> = {}
  ): Promise<z.infer<Schema>> =>
    validate(schema, await send({ method: 'POST', path, body, ...idempotency }))

  return {
    createOrder: draft =>
      post('/orders', ProviderOrder, JSON.stringify({ ...draft, payment: CAPTURE })),
    async findOrder(receipt) {
      const { items } = await get(`/orders?receipt=${encodeURIComponent(receipt)}&count=10`, orders)
      return items.toSorted((a, b) => a.created_at - b.created_at)[0]
    },
    fetchOrder: id => get(`/orders/${encodeURIComponent(id)}`, ProviderOrder),
    listOrderPayments: async id =>
      (await get(`/orders/${encodeURIComponent(id)}/payments`, payments)).items,
    fetchPayment: id => get(`/payments/${encodeURIComponent(id)}`, ProviderPayment),
    listPayments: async period => (await get(`/payments?${toPage(period)}`, payments)).items,
    capture: ({ id, amount, currency }) =>
      post(
        `/payments/${encodeURIComponent(id)}/capture`,
        ProviderPayment,
        JSON.stringify({ amount, currency })
      ),
    refund: (paymentId, key, body) =>
      post(`/payments/${encodeURIComponent(paymentId)}/refund`, ProviderRefund, body, { key }),
    fetchRefund: id => get(`/refunds/${encodeURIComponent(id)}`, ProviderRefund),
    listRefunds: async id =>
      (await get(`/payments/${encodeURIComponent(id)}/refunds?count=${PAGE_SIZE}`, refunds)).items,
    listRecentRefunds: async period => (await get(`/refunds?${toPage(period)}`, refunds)).items,
    fetchDispute: id => get(`/disputes/${encodeURIComponent(id)}`, ProviderDispute),
    listDisputes: async () => (await get(`/disputes?count=${PAGE_SIZE}`, disputes)).items
  }
}

function toPage({ from, to, skip = 0 }: Period): string {
  const period = `from=${Math.floor(from / SECOND)}&to=${Math.ceil(to / SECOND)}`
  return `${period}&count=${PAGE_SIZE}&skip=${skip}`
}

/** While the shop is not live, it creates no order and no refund, and captures nothing. */
export function writeOnlyIfLive(
  gateway: PaymentGateway,
  isLive: () => Promise<boolean>
): PaymentGateway {
  const requireLive = async (): Promise<void> => {
    if (!(await isLive()))
      throw new PaymentError('unavailable', 'The shop is not live', { problem: 'not_live' })
  }
  return {
    ...gateway,
    createOrder: draft => requireLive().then(() => gateway.createOrder(draft)),
    capture: payment => requireLive().then(() => gateway.capture(payment)),
    refund: (paymentId, key, body) => requireLive().then(() => gateway.refund(paymentId, key, body))
  }
}

function createSend(
  { keyId, keySecret, apiBase }: PaymentSettings,
  { timeout = TIMEOUT, backoff = BACKOFF }: RequestOptions
): (call: Call) => Promise<unknown> {
  const dispatcher = new Agent({ maxResponseSize: MAX_RESPONSE_SIZE })
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`

  async function sendOnce({ method, path, body, key }: Call): Promise<unknown> {
    const headers = {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-refund-idempotency': key })
    }
    const signal = AbortSignal.timeout(timeout)
    const { status, text } = await request(`${apiBase}${path}`, {
      method,
      headers,
      body: body ?? null,
      dispatcher,
      signal
    })
      .then(async response => ({ status: response.statusCode, text: await response.body.text() }))
      .catch(throwUnavailable)
    const json = parseJson(text)
    if (status !== 200) throw toPaymentError(json, status)
    if (json === undefined) {
      throw new PaymentError('unavailable', 'The payment provider did not return JSON', { status })
    }
    return json
  }

  return async call => {
    const isIdempotent = call.method === 'GET' || call.key !== undefined
    for (const delay of isIdempotent ? backoff : []) {
      try {
        return await sendOnce(call)
      } catch (error) {
        // After a timeout, the caller has already waited long enough. A wrong key stays wrong.
        const isRetryable =
          error instanceof PaymentError &&
          error.kind === 'unavailable' &&
          error.problem === undefined
        if (!isRetryable) throw error
        await sleep(delay * (0.5 + Math.random()))
      }
    }
    return sendOnce(call)
  }
}

function throwUnavailable(cause: unknown): never {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
  const problem = isTimeout ? 'timed out' : 'could not be reached'
  throw new PaymentError('unavailable', `The payment provider ${problem}`, {
    cause,
    problem: isTimeout ? 'timeout' : undefined
  })
}

function toPaymentError(json: unknown, status: number): PaymentError {
  const parsed = ErrorBody.safeParse(json)
  const { description, reason, field } = parsed.success
    ? parsed.data.error
    : { description: 'The payment provider gave no reason', reason: undefined, field: undefined }
  const isWrongKey = status === 401 || /authentication failed|api key/i.test(description)
  // Status 409: a call with the same idempotency key is still running.
  const isInProgress = status === 409 && /still|progress/i.test(description)
  const isUnavailable =
    status >= 500 || status === 429 || isWrongKey || isInProgress || !parsed.success
  if (isUnavailable)
    return new PaymentError('unavailable', description, {
      status,
      problem: isWrongKey ? 'wrong_key' : undefined
    })
  const isContent =
    status === 400 &&
    (reason === 'input_validation_failed' || !!field || /amount/i.test(description))
  return new PaymentError('refused', description, {
    status,
    problem: isContent ? 'content' : undefined
  })
}

function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  response: unknown
): z.infer<Schema> {
  const parsed = z.safeParse(schema, response)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new PaymentError(
    'unavailable',
    `Invalid fields in the response of the payment provider: ${fields}`
  )
}
