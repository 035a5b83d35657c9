import { MESSAGES } from './messages.ts'

/** Every way a call can fail: its HTTP status and what a person may read. Codes are permanent. */
export const ERRORS = {
  INVALID_INPUT: { status: 400, message: MESSAGES.invalidInput },
  MALFORMED_REQUEST: { status: 400, message: MESSAGES.malformed },
  PRODUCT_NOT_FOUND: { status: 404, message: MESSAGES.productNotFound },
  NOT_FOUND: { status: 404, message: MESSAGES.notFoundCall },
  BODY_TOO_LARGE: { status: 413, message: MESSAGES.tooLarge },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: MESSAGES.unsupportedMedia },
  UNSUPPORTED_PICTURE: { status: 415, message: MESSAGES.unsupportedPicture },
  TOO_MANY_REQUESTS: { status: 429, message: MESSAGES.tooMany },
  INTERNAL: { status: 500, message: MESSAGES.internal },
  UNAVAILABLE: { status: 503, message: MESSAGES.unavailable },
  OFFLINE: { status: 503, message: MESSAGES.offline }
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS
/** What is wrong with each field, by its name (`address.city`), in words for the person who typed it. */
export type FieldErrors = Record<string, string>

export interface ErrorBody {
  message: string
  code: ErrorCode
  fields?: FieldErrors
}

interface ShopErrorOptions extends ErrorOptions {
  fields?: FieldErrors
  /** The server's own words, where they say more than the catalogue's. */
  message?: string
}

/** A failure that a person can read and act on. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined

  constructor(code: ErrorCode, options: ShopErrorOptions = {}) {
    super(options.message ?? firstOf(options.fields) ?? ERRORS[code].message, options)
    this.code = code
    this.fields = options.fields
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  get body(): ErrorBody {
    return { message: this.message, code: this.code, ...(this.fields && { fields: this.fields }) }
  }
}

function firstOf(fields: FieldErrors | undefined): string | undefined {
  return fields && Object.values(fields)[0]
}
