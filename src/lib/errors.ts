import type { Quote } from './contract/checkout.ts'
import type { ERRORS } from './error-catalogue.ts'
import { MESSAGES } from './messages.ts'

export type ErrorCode = keyof typeof ERRORS
export type FieldErrors = Record<string, string>

export interface ErrorBody {
  message: string
  code: ErrorCode
  fields?: FieldErrors
  quote?: Quote
  /** Of DAY_CLOSED and DAY_FULL: the next day with a place, if there is one. */
  nextDay?: string
}

/** Texts of the errors that a browser raises itself. All others arrive with the server's text. */
const BROWSER_TEXTS: Partial<Record<ErrorCode, string>> = {
  MALFORMED_REQUEST: MESSAGES.malformed,
  INTERNAL: MESSAGES.internal,
  OFFLINE: MESSAGES.offline
}

interface ShopErrorOptions extends ErrorOptions {
  fields?: FieldErrors
  quote?: Quote
  nextDay?: string | undefined
  message?: string
  /** In seconds. */
  retryAfter?: number
  status?: number
}

/** `message` is the given text, the first field's text, the browser's text for the code, or the code. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ErrorCode
  /** In the browser, the status of the reply. On the server, a status other than the usual one of the code. */
  readonly status: number | undefined
  readonly fields: FieldErrors | undefined
  readonly quote: Quote | undefined
  readonly nextDay: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: ShopErrorOptions = {}) {
    const { fields, quote, nextDay, retryAfter, status, message } = options
    super(message || (fields && Object.values(fields)[0]) || BROWSER_TEXTS[code] || code, options)
    this.code = code
    this.status = status
    this.fields = fields
    this.quote = quote
    this.nextDay = nextDay
    this.retryAfter = retryAfter
  }
}

/** Returns the error if it is a ShopError, and throws any other error. */
export function assertShopError(error: unknown): ShopError {
  if (error instanceof ShopError) return error
  throw error
}

export function toErrorText({ code, message }: ShopError, fallback: string): string {
  return code === 'MALFORMED_REQUEST' ? fallback : message
}
