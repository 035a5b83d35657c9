import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { SECOND } from '#lib/time.ts'
import type { PaymentSettings } from './payment-settings.ts'
import { createHttpClient, TimeoutError } from '../platform/http/http-client.ts'

export interface RequestOptions {
  timeout?: number
  /** Delays before the retries of idempotent calls, in ms. The real delays differ randomly by up to 50 %. */
  backoff?: readonly number[]
}

const TIMEOUT = 5 * SECOND
const BACKOFF = [SECOND / 5, SECOND]

const ErrorBody = z.object({ error: z.object({ code: z.string(), description: z.string() }) })

/** `unavailable`: the call may have succeeded. `refused`: the provider rejected it, with the reason in `message`. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly kind: 'unavailable' | 'refused'
  readonly status: number | undefined
  readonly isTimeout: boolean

  constructor(
    kind: PaymentError['kind'],
    message: string,
    { status, isTimeout = false, ...options }: ErrorOptions & { status?: number; isTimeout?: boolean }
  ) {
    super(message, options)
    this.kind = kind
    this.status = status
    this.isTimeout = isTimeout
  }
}

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: string
  key?: string
}

interface Requests {
  get<Schema extends z.ZodMiniType>(path: string, schema: Schema): Promise<z.infer<Schema>>
  post<Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
    body: string,
    options?: { key?: string }
  ): Promise<z.infer<Schema>>
}

/** Retries only GET calls and POST calls with an idempotency key. */
export function createRequests({ keyId, keySecret, apiBase }: PaymentSettings, options: RequestOptions): Requests {
  const { timeout = TIMEOUT, backoff = BACKOFF } = options
  const send = createHttpClient()
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`

  async function sendOnce({ method, path, body, key }: Call): Promise<unknown> {
    const headers = {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-refund-idempotency': key })
    }
    const call = { method, url: `${apiBase}${path}`, headers, ...(body !== undefined && { body }), timeout }
    const { status, text } = await send(call).catch(throwUnavailable)
    if (status === 200) return parseBody(text, status)
    throw toPaymentError(text, status)
  }

  async function sendWithRetries(call: Call): Promise<unknown> {
    for (const delay of [...backoff, undefined]) {
      try {
        return await sendOnce(call)
      } catch (error) {
        // A timeout is not retried, because the caller has already waited long enough.
        const isRetryable = error instanceof PaymentError && error.kind === 'unavailable' && !error.isTimeout
        if (!isRetryable || delay === undefined) throw error
        await sleep(delay * (0.5 + Math.random()))
      }
    }
    throw new PaymentError('unavailable', 'No request was sent to the payment provider', {})
  }

  return {
    get: async (path, schema) => validate(schema, await sendWithRetries({ method: 'GET', path })),
    post: async (path, schema, body, { key } = {}) => {
      const call: Call = { method: 'POST', path, body, ...(key !== undefined && { key }) }
      return validate(schema, await (key === undefined ? sendOnce(call) : sendWithRetries(call)))
    }
  }
}

function throwUnavailable(cause: unknown): never {
  const isTimeout = cause instanceof TimeoutError
  const problem = isTimeout ? 'timed out' : 'could not be reached'
  throw new PaymentError('unavailable', `The payment provider ${problem}`, { cause, isTimeout })
}

function toPaymentError(text: string, status: number): PaymentError {
  const parsed = ErrorBody.safeParse(parseJson(text))
  const description = parsed.success ? parsed.data.error.description : 'The payment provider gave no reason'
  // Not refusals: a wrong API key, and status 409 while a call with the same idempotency key is still running.
  const isAuthFailure = status === 401 || /authentication failed/i.test(description)
  const isInProgress = status === 409 && /still|progress/i.test(description)
  const isUnavailable = status >= 500 || status === 429 || isAuthFailure || isInProgress || !parsed.success
  return new PaymentError(isUnavailable ? 'unavailable' : 'refused', description, { status })
}

function parseBody(text: string, status: number): unknown {
  const body = parseJson(text)
  if (body !== undefined) return body
  throw new PaymentError('unavailable', 'The payment provider did not return JSON', { status })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function validate<Schema extends z.ZodMiniType>(schema: Schema, response: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, response)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new PaymentError('unavailable', `Invalid fields in the response of the payment provider: ${fields}`, {})
}
