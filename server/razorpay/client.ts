import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import * as z from 'zod/mini'
import { SECOND } from '#lib/time.ts'
import { parseJson } from '../platform/http/validate.ts'
import type { PaymentSettings } from './config.ts'

// What the shop reads of Razorpay's objects. Amounts are in paise, `created_at` in Unix seconds.

const Notes = z.pipe(
  z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
  // If there are no notes, Razorpay sends an empty array instead of an object.
  z.transform((notes): Record<string, unknown> => (Array.isArray(notes) ? {} : notes))
)

export type ProviderOrder = z.infer<typeof ProviderOrder>
export const ProviderOrder = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  receipt: z.nullish(z.string()),
  status: z.enum(['created', 'attempted', 'paid']),
  notes: z._default(Notes, {}),
  created_at: z.int()
})

export type ProviderPayment = z.infer<typeof ProviderPayment>
export const ProviderPayment = z.object({
  id: z.string(),
  /** Null for payments made with a payment link or payment page. */
  order_id: z.nullish(z.string()),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  method: z.nullish(z.string()),
  created_at: z.int()
})

export type ProviderRefund = z.infer<typeof ProviderRefund>
export const ProviderRefund = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  receipt: z.nullish(z.string()),
  status: z.enum(['pending', 'processed', 'failed'])
})

export type ProviderDispute = z.infer<typeof ProviderDispute>
export const ProviderDispute = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  /** open, under_review, won, lost or closed. */
  status: z.string()
})

const listOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item) })
const Orders = listOf(ProviderOrder)
const ProviderPayments = listOf(ProviderPayment)
const Refunds = listOf(ProviderRefund)
const Disputes = listOf(ProviderDispute)

export interface ProviderOrderDraft {
  amount: number
  currency: string
  receipt: string
  /** At most 15 entries of 256 characters each. */
  notes: Record<string, string>
  /** In which the order was saved. With keys of the other mode, the call is refused. */
  mode?: 'test' | 'live' | null
}

/** In ms. */
interface Period {
  from: number
  to: number
  skip: number
}

interface RequestOptions {
  /** Time limit for the complete response, in ms. */
  timeout?: number
  /** Of idempotent calls, in ms, varied by up to 50 %. */
  backoff?: readonly number[]
}

/** A GET without a body, otherwise a POST, which is retried only with an idempotency key. */
type Send = (path: string, body?: string, key?: string) => Promise<unknown>

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

export type PaymentGateway = ReturnType<typeof createRazorpay>

export function createRazorpay(settings: PaymentSettings, options: RequestOptions = {}) {
  const send = createSend(settings, options)
  const call = async <Schema extends z.ZodMiniType>(
    schema: Schema,
    path: string,
    body?: string,
    key?: string
  ): Promise<z.infer<Schema>> => validate(schema, await send(path, body, key))
  const pathOf = (name: string, id: string) => `/${name}/${encodeURIComponent(id)}`

  return {
    /** Not idempotent. If the response is lost, call `findOrder` before the next attempt. */
    createOrder: ({ mode: _, ...draft }: ProviderOrderDraft) =>
      call(ProviderOrder, '/orders', JSON.stringify({ ...draft, payment: CAPTURE })),
    async findOrder(receipt: string) {
      const path = `/orders?receipt=${encodeURIComponent(receipt)}&count=10`
      const { items } = await call(Orders, path)
      return items.toSorted((a, b) => a.created_at - b.created_at)[0]
    },
    fetchOrder: (id: string) => call(ProviderOrder, pathOf('orders', id)),
    listOrderPayments: async (id: string) =>
      (await call(ProviderPayments, `${pathOf('orders', id)}/payments`)).items,
    fetchPayment: (id: string) => call(ProviderPayment, pathOf('payments', id)),
    listPayments: async (period: Period) =>
      (await call(ProviderPayments, `/payments?${toPage(period)}`)).items,
    capture: ({ id, amount, currency }: ProviderPayment) =>
      call(
        ProviderPayment,
        `${pathOf('payments', id)}/capture`,
        JSON.stringify({ amount, currency })
      ),
    /** A second call with the same key and body refunds nothing. It returns the first refund. */
    refund: (paymentId: string, key: string, body: string) =>
      call(ProviderRefund, `${pathOf('payments', paymentId)}/refund`, body, key),
    fetchRefund: (id: string) => call(ProviderRefund, pathOf('refunds', id)),
    listRefunds: async (id: string) =>
      (await call(Refunds, `${pathOf('payments', id)}/refunds?count=${PAGE_SIZE}`)).items,
    listRecentRefunds: async (period: Period) =>
      (await call(Refunds, `/refunds?${toPage(period)}`)).items,
    fetchDispute: (id: string) => call(ProviderDispute, pathOf('disputes', id)),
    listDisputes: async () => (await call(Disputes, `/disputes?count=${PAGE_SIZE}`)).items
  }
}

function toPage({ from, to, skip }: Period) {
  const period = `from=${Math.floor(from / SECOND)}&to=${Math.ceil(to / SECOND)}`
  return `${period}&count=${PAGE_SIZE}&skip=${skip}`
}

/** While the shop is not live, it creates no order and no refund, and captures nothing. */
export function writeOnlyIfLive(
  gateway: PaymentGateway,
  isLive: () => Promise<boolean>
): PaymentGateway {
  const ifLive =
    <Input extends readonly unknown[], Reply>(call: (...input: Input) => Promise<Reply>) =>
    async (...input: Input): Promise<Reply> => {
      if (await isLive()) return call(...input)
      throw new PaymentError('unavailable', 'The shop is not live', { problem: 'not_live' })
    }
  return {
    ...gateway,
    createOrder: ifLive(gateway.createOrder),
    capture: ifLive(gateway.capture),
    refund: ifLive(gateway.refund)
  }
}

function createSend(
  { keyId, keySecret, apiBase }: PaymentSettings,
  { timeout = TIMEOUT, backoff = BACKOFF }: RequestOptions
): Send {
  const dispatcher = new Agent({ maxResponseSize: MAX_RESPONSE_SIZE })
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`

  const sendOnce: Send = async (path, body, key) => {
    const { status, text } = await request(`${apiBase}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'x-refund-idempotency': key })
      },
      body: body ?? null,
      dispatcher,
      signal: AbortSignal.timeout(timeout)
    })
      .then(async response => ({ status: response.statusCode, text: await response.body.text() }))
      .catch(throwUnavailable)
    const json = parseJson(text)
    if (status !== 200) throw toPaymentError(json, status)
    if (json !== undefined) return json
    throw new PaymentError('unavailable', 'The payment provider did not return JSON', { status })
  }

  return async (path, body, key) => {
    const isIdempotent = body === undefined || key !== undefined
    for (const delay of isIdempotent ? backoff : []) {
      try {
        return await sendOnce(path, body, key)
      } catch (error) {
        // After a timeout, the caller has already waited long enough. A wrong key stays wrong.
        if (!isRetryable(error)) throw error
        await sleep(delay * (0.5 + Math.random()))
      }
    }
    return sendOnce(path, body, key)
  }
}

export function isRetryable(error: unknown): boolean {
  return error instanceof PaymentError && error.kind === 'unavailable' && !error.problem
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
  if (isWrongKey)
    return new PaymentError('unavailable', description, { status, problem: 'wrong_key' })
  if (status >= 500 || status === 429 || isInProgress || !parsed.success)
    return new PaymentError('unavailable', description, { status })
  const isContent =
    status === 400 &&
    (reason === 'input_validation_failed' || !!field || /amount/i.test(description))
  const problem = isContent ? 'content' : undefined
  return new PaymentError('refused', description, { status, problem })
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
