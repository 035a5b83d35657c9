import type { Quote } from './contract/checkout.ts'
import type { ERRORS } from './error-catalogue.ts'
import { BROWSER_ERROR_TEXTS } from './messages.ts'

export type ErrorCode = keyof typeof ERRORS
export type FieldErrors = Record<string, string>

export interface ErrorBody {
  message: string
  code: ErrorCode
  fields?: FieldErrors
  quote?: Quote
  nextDay?: string
}

interface ShopErrorOptions extends ErrorOptions {
  fields?: FieldErrors
  quote?: Quote
  nextDay?: string | undefined
  message?: string
  retryAfter?: number
  replyStatus?: number
  overrideStatus?: number
}

export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ErrorCode
  readonly hasReason: boolean
  readonly replyStatus: number | undefined
  /** On the server: a status other than that of the code. */
  readonly overrideStatus: number | undefined
  readonly fields: FieldErrors | undefined
  readonly quote: Quote | undefined
  readonly nextDay: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: ShopErrorOptions = {}) {
    const { message, cause: _, ...facts } = options
    const reason = message || (facts.fields && Object.values(facts.fields)[0])
    super(
      reason || (BROWSER_ERROR_TEXTS as Partial<Record<ErrorCode, string>>)[code] || code,
      options
    )
    this.code = code
    this.hasReason = Boolean(reason)
    Object.assign(this, facts)
  }
}

export function assertShopError(error: unknown): ShopError {
  if (error instanceof ShopError) return error
  throw error
}

/** The fallback is for replies without a message, but not for a missing reply. */
export function toErrorText({ code, message, hasReason }: ShopError, fallback: string): string {
  return hasReason || code === 'OFFLINE' ? message : fallback
}
