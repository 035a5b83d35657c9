import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { SECOND } from '#lib/time.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { createHttpClient, TimeoutError } from './http-client.ts'

export interface RequestOptions {
  /** How long one attempt may take, in ms. */
  timeout?: number
  /** Before each further attempt of what may be repeated, in ms; each is spread at random. */
  pauses?: readonly number[]
}

const TIMEOUT = 5 * SECOND
const PAUSES = [SECOND / 5, SECOND]

const Refusal = z.object({ error: z.object({ code: z.string(), description: z.string() }) })

/**
 * Why the provider did not do what it was asked. `unavailable`: it may have done it all the same, and may be asked again.
 * `refused`: it has not, and says why in `message`.
 */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly kind: 'unavailable' | 'refused'
  readonly status: number | undefined
  /** Whether it was silent, so that asking again would be a long wait again. */
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
  /** Makes repeating harmless. */
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

/** Calls of the provider's API: with a time-out each, and repeated only when that is harmless. */
export function createRequests({ keyId, keySecret, apiBase }: PaymentSettings, options: RequestOptions): Requests {
  const { timeout = TIMEOUT, pauses = PAUSES } = options
  const send = createHttpClient()
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`

  async function once({ method, path, body, key }: Call): Promise<unknown> {
    const headers = {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-refund-idempotency': key })
    }
    const call = { method, url: `${apiBase}${path}`, headers, ...(body !== undefined && { body }), timeout }
    const { status, text } = await send(call).catch(unreachable)
    if (status === 200) return parsed(text, status)
    throw refusal(text, status)
  }

  async function repeatedly(call: Call): Promise<unknown> {
    for (const pause of [...pauses, undefined]) {
      try {
        return await once(call)
      } catch (error) {
        // Who waited for the whole time-out has waited long enough.
        const again = error instanceof PaymentError && error.kind === 'unavailable' && !error.isTimeout
        if (!again || pause === undefined) throw error
        await sleep(pause * (0.5 + Math.random()))
      }
    }
    throw new PaymentError('unavailable', 'The payment provider was not asked', {})
  }

  return {
    get: async (path, schema) => checked(schema, await repeatedly({ method: 'GET', path })),
    post: async (path, schema, body, { key } = {}) => {
      const call: Call = { method: 'POST', path, body, ...(key !== undefined && { key }) }
      return checked(schema, await (key === undefined ? once(call) : repeatedly(call)))
    }
  }
}

function unreachable(cause: unknown): never {
  const isTimeout = cause instanceof TimeoutError
  const why = isTimeout ? 'did not answer in time' : 'could not be reached'
  throw new PaymentError('unavailable', `The payment provider ${why}`, { cause, isTimeout })
}

function refusal(text: string, status: number): PaymentError {
  const found = Refusal.safeParse(json(text))
  const said = found.success ? found.data.error.description : 'The payment provider gave no reason'
  // While a request with the same key is still worked on, it is told to come again. Keys that are wrong say nothing of
  // what was asked about.
  const isKey = status === 401 || /authentication failed/i.test(said)
  const isAtWork = status === 409 && /still|progress/i.test(said)
  const busy = status >= 500 || status === 429 || isKey || isAtWork || !found.success
  return new PaymentError(busy ? 'unavailable' : 'refused', said, { status })
}

function parsed(text: string, status: number): unknown {
  const found = json(text)
  if (found !== undefined) return found
  throw new PaymentError('unavailable', 'The payment provider answered what is no JSON', { status })
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function checked<Schema extends z.ZodMiniType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const found = z.safeParse(schema, answer)
  if (found.success) return found.data
  const where = found.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new PaymentError('unavailable', `The payment provider answered something else than expected: ${where}`, {})
}
