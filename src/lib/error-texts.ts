import { ADMIN_MESSAGES } from './admin/messages.ts'
import { CHECKOUT_MESSAGES } from './checkout/messages.ts'
import { DELIVERY_MESSAGES } from './delivery/messages.ts'
import { BROWSER_TEXTS, type ErrorBody, type ErrorCode, type ShopError } from './errors.ts'
import { MESSAGES } from './messages.ts'

const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  ...BROWSER_TEXTS,
  INVALID_INPUT: MESSAGES.invalidInput,
  MALFORMED_REQUEST: 'Invalid request.',
  INVALID_CREDENTIALS: MESSAGES.invalidCredentials,
  INVALID_OTP: 'This code is wrong. Please check it and try again.',
  OTP_EXPIRED: 'This code has expired. Please request a new one.',
  INVALID_PAYMENT:
    'We couldn’t verify this payment. If you were charged, you’ll get a full refund.',
  AMOUNT_TOO_SMALL: 'The minimum online payment is ₹1.',
  UNAUTHORIZED: MESSAGES.loginAgain,
  INVALID_SIGNATURE: 'Invalid signature.',
  FORBIDDEN: MESSAGES.forbidden,
  VERIFICATION_REQUIRED: 'Please enter your password or a code again to do this.',
  PRODUCT_NOT_FOUND: MESSAGES.productNotFound,
  ORDER_NOT_FOUND: CHECKOUT_MESSAGES.orderNotFound,
  USER_NOT_FOUND: 'This account was deleted.',
  MESSAGE_NOT_FOUND: 'This message no longer exists.',
  COLLECTION_NOT_FOUND: 'This collection no longer exists.',
  POST_NOT_FOUND: 'This post no longer exists.',
  COUPON_NOT_FOUND: 'This coupon no longer exists.',
  DEAL_NOT_FOUND: 'There is no deal for this product.',
  BACKUP_GONE: 'This backup is no longer available. Please download a new one.',
  NOT_FOUND: 'Not found.',
  EMAIL_TAKEN: 'You already have an account. Log in, or get a code by email.',
  PRODUCT_IN_STOCK: 'This product is in stock. You can order it now.',
  PINCODE_UNKNOWN: DELIVERY_MESSAGES.pincodeUnknown,
  NOT_DELIVERED: DELIVERY_MESSAGES.notDelivered,
  DAY_CLOSED: DELIVERY_MESSAGES.dayClosed,
  DAY_FULL: DELIVERY_MESSAGES.dayFull,
  DEAL_NOT_STARTED: 'This deal has not started yet.',
  DEAL_OVERLAPS: 'This product already has a deal at that time.',
  DEAL_ENDED: 'This deal has ended.',
  COUPON_ENDED: ADMIN_MESSAGES.couponEnded,
  CART_CHANGED: 'Your cart was changed on another device.',
  PRICE_CHANGED: 'Prices or stock have changed. Please check the new total before you pay.',
  EDIT_CONFLICT: ADMIN_MESSAGES.changedByOthers,
  LAST_ADMIN: 'There must be at least one owner. Make someone else an owner first.',
  USER_NOT_VERIFIED: 'This person must log in once with a code before joining the staff.',
  CHECKOUT_CHANGED: 'Your cart changed. Please press Pay Now again.',
  TOO_MANY_RESERVATIONS: 'You have an unfinished payment. Complete it, or try again in 30 minutes.',
  FIRST_ORDER_LIMIT: 'This is more than we keep for a first order. Please call us for more.',
  SHOP_CLOSED: `${CHECKOUT_MESSAGES.shopClosed}.`,
  BELOW_MINIMUM_ORDER: 'Your cart is below our minimum order.',
  ORDER_NOT_CANCELLABLE: 'This order can no longer be cancelled online. Please call us.',
  ORDER_ON_HOLD:
    'Razorpay is handling a refund or dispute for this order. Please wait for its result.',
  ORDER_NOT_CHANGEABLE: 'This change is not possible. Please cancel the order and order again.',
  PAYMENT_REFUNDED: CHECKOUT_MESSAGES.paymentRefunded,
  PAYMENT_ORDER_REFUSED:
    'Our payment service doesn’t accept this amount. Please order fewer packs, or call us.',
  TEXT_NOT_RENDERABLE: ADMIN_MESSAGES.textNotRenderable,
  BODY_TOO_LARGE: 'The request is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The request must be sent as JSON.',
  UNSUPPORTED_PICTURE: 'Please choose a JPEG, PNG, WebP or AVIF picture of at most 24 megapixels.',
  TOO_MANY_REQUESTS: 'Too many requests. Please try again in a moment.',
  BACKUP_FAILED: ADMIN_MESSAGES.backupFailed,
  PAYMENTS_UNAVAILABLE:
    'The payment service can’t be reached right now. Nothing was charged; please try again.',
  SHOP_NOT_LIVE: 'We can’t take orders at the moment. Please try again later.',
  LEGAL_DETAILS_MISSING: 'We can’t take orders yet. Please come back soon.',
  MAIL_NOT_SENT: ADMIN_MESSAGES.testMailFailed,
  UNAVAILABLE: 'The shop is busy or being updated. Please try again in a moment.'
}

export function toErrorBody({ code, message, fields, quote, nextDay }: ShopError): ErrorBody {
  const text = message === code ? ERROR_TEXTS[code] : message
  return {
    message: text,
    code,
    ...(fields && { fields }),
    ...(quote && { quote }),
    ...(nextDay !== undefined && { nextDay })
  }
}
