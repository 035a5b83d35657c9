import { ADMIN_MESSAGES } from './admin/messages.ts'
import { CHECKOUT_MESSAGES } from './checkout/messages.ts'
import type { ErrorBody, ErrorCode, ShopError } from './errors.ts'
import { MESSAGES } from './messages.ts'

const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  INVALID_INPUT: MESSAGES.invalidInput,
  MALFORMED_REQUEST: MESSAGES.malformed,
  INVALID_CREDENTIALS: MESSAGES.invalidCredentials,
  INVALID_OTP: MESSAGES.codeInvalid,
  OTP_EXPIRED: MESSAGES.codeExpired,
  INVALID_PAYMENT: CHECKOUT_MESSAGES.paymentRefused,
  AMOUNT_TOO_SMALL: CHECKOUT_MESSAGES.amountTooSmall,
  UNAUTHORIZED: MESSAGES.loginAgain,
  INVALID_SIGNATURE: MESSAGES.invalidSignature,
  FORBIDDEN: MESSAGES.forbidden,
  PRODUCT_NOT_FOUND: MESSAGES.productNotFound,
  ORDER_NOT_FOUND: CHECKOUT_MESSAGES.orderNotFound,
  USER_NOT_FOUND: ADMIN_MESSAGES.userNotFound,
  MESSAGE_NOT_FOUND: ADMIN_MESSAGES.messageNotFound,
  POST_NOT_FOUND: ADMIN_MESSAGES.postNotFound,
  DEAL_NOT_FOUND: MESSAGES.dealNotFound,
  BACKUP_GONE: ADMIN_MESSAGES.backupNotFound,
  NOT_FOUND: MESSAGES.unknownEndpoint,
  EMAIL_TAKEN: MESSAGES.emailTaken,
  DEAL_NOT_STARTED: MESSAGES.dealNotStarted,
  DEAL_OVERLAPS: MESSAGES.dealOverlaps,
  DEAL_ENDED: MESSAGES.dealEnded,
  CART_CHANGED: CHECKOUT_MESSAGES.cartChanged,
  PRICE_CHANGED: CHECKOUT_MESSAGES.priceChanged,
  EDIT_CONFLICT: ADMIN_MESSAGES.changedByOthers,
  LAST_ADMIN: ADMIN_MESSAGES.lastAdmin,
  USER_NOT_VERIFIED: ADMIN_MESSAGES.userNotVerified,
  CHECKOUT_CHANGED: CHECKOUT_MESSAGES.checkoutChanged,
  TOO_MANY_RESERVATIONS: CHECKOUT_MESSAGES.tooManyOpenPayments,
  ORDER_NOT_CANCELLABLE: CHECKOUT_MESSAGES.orderNotCancellable,
  PAYMENT_REFUNDED: CHECKOUT_MESSAGES.paymentRefunded,
  BODY_TOO_LARGE: MESSAGES.tooLarge,
  UNSUPPORTED_MEDIA_TYPE: MESSAGES.unsupportedMedia,
  UNSUPPORTED_PICTURE: MESSAGES.unsupportedPicture,
  TOO_MANY_REQUESTS: MESSAGES.tooMany,
  INTERNAL: MESSAGES.internal,
  BACKUP_FAILED: ADMIN_MESSAGES.backupFailed,
  PAYMENTS_UNAVAILABLE: CHECKOUT_MESSAGES.paymentUnavailable,
  UNAVAILABLE: MESSAGES.unavailable,
  OFFLINE: MESSAGES.offline
}

export function toErrorBody({ code, message, fields, quote }: ShopError): ErrorBody {
  const text = message === code ? ERROR_TEXTS[code] : message
  return { message: text, code, ...(fields && { fields }), ...(quote && { quote }) }
}
