import { ADMIN_MESSAGES } from './admin/messages.ts'
import type { Quote } from './contract/checkout.ts'
import { CHECKOUT_MESSAGES } from './checkout/messages.ts'
import { MESSAGES } from './messages.ts'
import { registerErrors } from './shop-error.ts'

export { ShopError } from './shop-error.ts'

/** Never change a code, because clients compare codes. */
export const ERRORS = {
  INVALID_INPUT: { status: 400, message: MESSAGES.invalidInput },
  MALFORMED_REQUEST: { status: 400, message: MESSAGES.malformed },
  INVALID_CREDENTIALS: { status: 400, message: MESSAGES.invalidCredentials },
  INVALID_OTP: { status: 400, message: MESSAGES.codeInvalid },
  OTP_EXPIRED: { status: 400, message: MESSAGES.codeExpired },
  INVALID_PAYMENT: { status: 400, message: CHECKOUT_MESSAGES.paymentRefused },
  AMOUNT_TOO_SMALL: { status: 400, message: CHECKOUT_MESSAGES.amountTooSmall },
  UNAUTHORIZED: { status: 401, message: MESSAGES.loginAgain },
  INVALID_SIGNATURE: { status: 401, message: MESSAGES.invalidSignature },
  FORBIDDEN: { status: 403, message: MESSAGES.forbidden },
  PRODUCT_NOT_FOUND: { status: 404, message: MESSAGES.productNotFound },
  ORDER_NOT_FOUND: { status: 404, message: CHECKOUT_MESSAGES.orderNotFound },
  USER_NOT_FOUND: { status: 404, message: ADMIN_MESSAGES.userNotFound },
  MESSAGE_NOT_FOUND: { status: 404, message: ADMIN_MESSAGES.messageNotFound },
  POST_NOT_FOUND: { status: 404, message: ADMIN_MESSAGES.postNotFound },
  DEAL_NOT_FOUND: { status: 404, message: MESSAGES.dealNotFound },
  BACKUP_GONE: { status: 404, message: ADMIN_MESSAGES.backupNotFound },
  NOT_FOUND: { status: 404, message: MESSAGES.unknownEndpoint },
  EMAIL_TAKEN: { status: 409, message: MESSAGES.emailTaken },
  DEAL_NOT_STARTED: { status: 409, message: MESSAGES.dealNotStarted },
  DEAL_OVERLAPS: { status: 409, message: MESSAGES.dealOverlaps },
  DEAL_ENDED: { status: 409, message: MESSAGES.dealEnded },
  CART_CHANGED: { status: 409, message: CHECKOUT_MESSAGES.cartChanged },
  PRICE_CHANGED: { status: 409, message: CHECKOUT_MESSAGES.priceChanged },
  EDIT_CONFLICT: { status: 409, message: ADMIN_MESSAGES.changedByOthers },
  LAST_ADMIN: { status: 409, message: ADMIN_MESSAGES.lastAdmin },
  USER_NOT_VERIFIED: { status: 409, message: ADMIN_MESSAGES.userNotVerified },
  CHECKOUT_CHANGED: { status: 409, message: CHECKOUT_MESSAGES.checkoutChanged },
  TOO_MANY_RESERVATIONS: { status: 409, message: CHECKOUT_MESSAGES.tooManyOpenPayments },
  ORDER_NOT_MOVABLE: { status: 409, message: CHECKOUT_MESSAGES.orderStatusChanged },
  ORDER_NOT_CANCELLABLE: { status: 409, message: CHECKOUT_MESSAGES.orderNotCancellable },
  PAYMENT_REFUNDED: { status: 409, message: CHECKOUT_MESSAGES.paymentRefunded },
  BODY_TOO_LARGE: { status: 413, message: MESSAGES.tooLarge },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: MESSAGES.unsupportedMedia },
  UNSUPPORTED_PICTURE: { status: 415, message: MESSAGES.unsupportedPicture },
  TOO_MANY_REQUESTS: { status: 429, message: MESSAGES.tooMany },
  INTERNAL: { status: 500, message: MESSAGES.internal },
  BACKUP_FAILED: { status: 503, message: ADMIN_MESSAGES.backupFailed },
  PAYMENTS_UNAVAILABLE: { status: 503, message: CHECKOUT_MESSAGES.paymentUnavailable },
  UNAVAILABLE: { status: 503, message: MESSAGES.unavailable },
  OFFLINE: { status: 503, message: MESSAGES.offline }
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS
export type FieldErrors = Record<string, string>

export interface ErrorBody {
  message: string
  code: ErrorCode
  fields?: FieldErrors
  quote?: Quote
}

registerErrors(ERRORS)
