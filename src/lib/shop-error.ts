import type { Quote } from './contract/cart.ts'
import type { ErrorBody, ErrorCode, FieldErrors } from './errors.ts'
import { MESSAGES } from './messages.ts'

interface Known {
  status: number
  message: string
}

/** What the browser finds by itself. All other failures bring the server's words, so that no page carries the catalogue. */
const KNOWN: Partial<Record<ErrorCode, Known>> = {
  MALFORMED_REQUEST: { status: 400, message: MESSAGES.malformed },
  INTERNAL: { status: 500, message: MESSAGES.internal },
  OFFLINE: { status: 503, message: MESSAGES.offline }
}

/** Where failures are made, they are known by their code alone. */
export function learnErrors(errors: Record<ErrorCode, Known>): void {
  Object.assign(KNOWN, errors)
}

interface ShopErrorOptions extends ErrorOptions {
  fields?: FieldErrors
  quote?: Quote
  /** The server's own words, where they say more than the catalogue's. */
  message?: string
  /** When it is worth trying again, in seconds. */
  retryAfter?: number
  status?: number
}

/** A failure that a person can read and act on. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: FieldErrors | undefined
  /** With PRICE_CHANGED: what the shop asks now. */
  readonly quote: Quote | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: ShopErrorOptions = {}) {
    const { fields, quote, retryAfter, status, message } = options
    super(message || (fields && Object.values(fields)[0]) || KNOWN[code]?.message, options)
    this.code = code
    this.status = status ?? KNOWN[code]?.status ?? 500
    this.fields = fields
    this.quote = quote
    this.retryAfter = retryAfter
  }

  get body(): ErrorBody {
    const { message, code, fields, quote } = this
    return { message, code, ...(fields && { fields }), ...(quote && { quote }) }
  }
}

/** What a person may read of a failure; `otherwise` where the shop has said nothing of its own. */
export function wordsOf(error: ShopError, otherwise: string): string {
  return error.message === MESSAGES.malformed ? otherwise : error.message
}
