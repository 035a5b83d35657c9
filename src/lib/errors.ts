import type { Quote } from './contract/checkout.ts'

/** HTTP status by code. Never change a code, because clients compare codes. */
export const ERROR_STATUS = {
  INVALID_INPUT: 400,
  MALFORMED_REQUEST: 400,
  INVALID_CREDENTIALS: 400,
  INVALID_OTP: 400,
  OTP_EXPIRED: 400,
  INVALID_PAYMENT: 400,
  AMOUNT_TOO_SMALL: 400,
  UNAUTHORIZED: 401,
  INVALID_SIGNATURE: 401,
  FORBIDDEN: 403,
  VERIFICATION_REQUIRED: 403,
  PRODUCT_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  COLLECTION_NOT_FOUND: 404,
  POST_NOT_FOUND: 404,
  DEAL_NOT_FOUND: 404,
  COUPON_NOT_FOUND: 404,
  BACKUP_GONE: 404,
  NOT_FOUND: 404,
  EMAIL_TAKEN: 409,
  PRODUCT_IN_STOCK: 409,
  DEAL_NOT_STARTED: 409,
  DEAL_OVERLAPS: 409,
  DEAL_ENDED: 409,
  COUPON_ENDED: 409,
  CART_CHANGED: 409,
  PRICE_CHANGED: 409,
  EDIT_CONFLICT: 409,
  LAST_ADMIN: 409,
  USER_NOT_VERIFIED: 409,
  CHECKOUT_CHANGED: 409,
  TOO_MANY_RESERVATIONS: 409,
  FIRST_ORDER_LIMIT: 409,
  SHOP_CLOSED: 409,
  BELOW_MINIMUM_ORDER: 409,
  PINCODE_UNKNOWN: 404,
  NOT_DELIVERED: 409,
  DAY_CLOSED: 409,
  DAY_FULL: 409,
  ORDER_NOT_CANCELLABLE: 409,
  ORDER_ON_HOLD: 409,
  ORDER_NOT_CHANGEABLE: 409,
  PAYMENT_REFUNDED: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_PICTURE: 415,
  PAYMENT_ORDER_REFUSED: 422,
  TEXT_NOT_RENDERABLE: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  BACKUP_FAILED: 503,
  PAYMENTS_UNAVAILABLE: 503,
  SHOP_NOT_LIVE: 503,
  LEGAL_DETAILS_MISSING: 503,
  MAIL_NOT_SENT: 503,
  UNAVAILABLE: 503,
  OFFLINE: 503
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
export type FieldErrors = Record<string, string>

export interface ErrorBody {
  message: string
  code: ErrorCode
  fields?: FieldErrors
  quote?: Quote
  /** Of DAY_CLOSED and DAY_FULL: the next day with a place, if there is one. */
  nextDay?: string
}

/** Texts of the errors that a browser raises itself. The server sends its own texts. */
export const BROWSER_TEXTS = {
  INTERNAL: 'Something went wrong on our side.',
  OFFLINE: 'We cannot reach the shop. Check your connection and try again.'
}

interface ShopErrorOptions extends ErrorOptions {
  fields?: FieldErrors
  quote?: Quote
  nextDay?: string | undefined
  message?: string
  /** In seconds. */
  retryAfter?: number
  replyStatus?: number
  overrideStatus?: number
}

/** `message` is the given text, the first field's, the browser's text for the code, or the code. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ErrorCode
  /** False if the reply has no text, for example because a proxy has replied. */
  readonly hasReason: boolean
  /** In the browser. */
  readonly replyStatus: number | undefined
  /** On the server: a status other than the usual one of the code. */
  readonly overrideStatus: number | undefined
  readonly fields: FieldErrors | undefined
  readonly quote: Quote | undefined
  readonly nextDay: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: ShopErrorOptions = {}) {
    const { fields, quote, nextDay, retryAfter, message } = options
    const reason = message || (fields && Object.values(fields)[0])
    super(reason || (BROWSER_TEXTS as Partial<Record<ErrorCode, string>>)[code] || code, options)
    this.code = code
    this.hasReason = Boolean(reason)
    this.replyStatus = options.replyStatus
    this.overrideStatus = options.overrideStatus
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

/** The fallback is for replies without a message, but not for a missing reply. */
export function toErrorText({ code, message, hasReason }: ShopError, fallback: string): string {
  return hasReason || code === 'OFFLINE' ? message : fallback
}
