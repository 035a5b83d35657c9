import { MESSAGES } from './messages.ts'
import { learnErrors } from './shop-error.ts'

export { ShopError } from './shop-error.ts'

/** Every way a call can fail: its HTTP status and what a person may read. Codes are permanent. */
export const ERRORS = {
  INVALID_INPUT: { status: 400, message: MESSAGES.invalidInput },
  MALFORMED_REQUEST: { status: 400, message: MESSAGES.malformed },
  INVALID_CREDENTIALS: { status: 400, message: MESSAGES.invalidCredentials },
  INVALID_OTP: { status: 400, message: MESSAGES.codeInvalid },
  OTP_EXPIRED: { status: 400, message: MESSAGES.codeExpired },
  UNAUTHORIZED: { status: 401, message: MESSAGES.loginAgain },
  FORBIDDEN: { status: 403, message: MESSAGES.forbidden },
  PRODUCT_NOT_FOUND: { status: 404, message: MESSAGES.productNotFound },
  NOT_FOUND: { status: 404, message: MESSAGES.notFoundCall },
  EMAIL_TAKEN: { status: 409, message: MESSAGES.emailTaken },
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

learnErrors(ERRORS)
