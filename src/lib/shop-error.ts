import type { Quote } from './contract/checkout.ts'
import type { ErrorBody, ErrorCode, FieldErrors } from './errors.ts'
import { MESSAGES } from './messages.ts'

interface ErrorEntry {
  status: number
  message: string
}

/**
 * In the browser, contains only the errors raised there, because all others come with the server's text.
 * `registerErrors` adds the rest on the server.
 */
const errorCatalogue: Partial<Record<ErrorCode, ErrorEntry>> = {
  MALFORMED_REQUEST: { status: 400, message: MESSAGES.malformed },
  INTERNAL: { status: 500, message: MESSAGES.internal },
  OFFLINE: { status: 503, message: MESSAGES.offline }
}

export function registerErrors(errors: Record<ErrorCode, ErrorEntry>): void {
  Object.assign(errorCatalogue, errors)
}

interface ShopErrorOptions extends ErrorOptions {
  fields?: FieldErrors
  quote?: Quote
  message?: string
  /** In seconds. */
  retryAfter?: number
  status?: number
}

export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: FieldErrors | undefined
  readonly quote: Quote | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: ShopErrorOptions = {}) {
    const { fields, quote, retryAfter, status, message } = options
    super(message || (fields && Object.values(fields)[0]) || errorCatalogue[code]?.message, options)
    this.code = code
    this.status = status ?? errorCatalogue[code]?.status ?? 500
    this.fields = fields
    this.quote = quote
    this.retryAfter = retryAfter
  }

  get body(): ErrorBody {
    const { message, code, fields, quote } = this
    return { message, code, ...(fields && { fields }), ...(quote && { quote }) }
  }
}

export function toErrorText(error: ShopError, fallback: string): string {
  return error.message === MESSAGES.malformed ? fallback : error.message
}
