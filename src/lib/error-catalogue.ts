import { ADMIN_MESSAGES } from './admin/messages.ts'
import { CHECKOUT_MESSAGES } from './checkout/messages.ts'
import { texts } from './contract/texts.ts'
import { BROWSER_ERROR_TEXTS, LOGIN_AGAIN, MESSAGES } from './messages.ts'

/** HTTP status and text by code. Never change a code, because clients compare codes. */
export const ERRORS = texts({
  INVALID_INPUT: [400, MESSAGES.invalidInput],
  MALFORMED_REQUEST: [400, 'Invalid request.'],
  INVALID_CREDENTIALS: [400, MESSAGES.invalidCredentials],
  INVALID_OTP: [400, 'This code is wrong. Please check it and try again.'],
  INVITATION_INVALID: [400, 'This link has been used, or it is too old. Please ask for a new one.'],
  OTP_EXPIRED: [400, 'This code has expired. Please request a new one.'],
  INVALID_PAYMENT: [
    400,
    'We couldn’t verify this payment. If you were charged, you’ll get a full refund.'
  ],
  AMOUNT_TOO_SMALL: [400, 'The minimum online payment is ₹1.'],
  UNAUTHORIZED: [401, LOGIN_AGAIN],
  INVALID_SIGNATURE: [401, 'Invalid signature.'],
  FORBIDDEN: [403, MESSAGES.forbidden],
  VERIFICATION_REQUIRED: [403, 'Please enter your password or a code again to do this.'],
  PRODUCT_NOT_FOUND: [404, MESSAGES.productNotFound],
  ORDER_NOT_FOUND: [404, CHECKOUT_MESSAGES.orderNotFound],
  ORDER_LINK_INVALID: [
    404,
    'This link is incomplete, replaced or too old. Please see My Orders, or ask us.'
  ],
  USER_NOT_FOUND: [404, 'This account was deleted.'],
  MESSAGE_NOT_FOUND: [404, 'This message no longer exists.'],
  COLLECTION_NOT_FOUND: [404, 'This collection no longer exists.'],
  POST_NOT_FOUND: [404, 'This post no longer exists.'],
  DEAL_NOT_FOUND: [404, 'There is no deal for this product.'],
  COUPON_NOT_FOUND: [404, 'This coupon no longer exists.'],
  BACKUP_GONE: [404, 'This backup is no longer available. Please download a new one.'],
  NOT_FOUND: [404, 'Not found.'],
  EMAIL_TAKEN: [409, 'You already have an account. Log in, or get a code by email.'],
  PRODUCT_IN_STOCK: [409, 'This product is in stock. You can order it now.'],
  DEAL_NOT_STARTED: [409, 'This deal has not started yet.'],
  DEAL_OVERLAPS: [409, 'This product already has a deal at that time.'],
  DEAL_ENDED: [409, 'This deal has ended.'],
  COUPON_ENDED: [409, ADMIN_MESSAGES.couponEnded],
  CART_CHANGED: [409, 'Your cart was changed on another device.'],
  PRICE_CHANGED: [409, 'Prices or stock have changed. Please check the new total before you pay.'],
  EDIT_CONFLICT: [409, ADMIN_MESSAGES.changedByOthers],
  LAST_ADMIN: [409, 'There must be at least one owner. Make someone else an owner first.'],
  USER_NOT_VERIFIED: [409, 'This person must log in once with a code before joining the staff.'],
  CHECKOUT_CHANGED: [409, 'Your cart changed. Please press Pay Now again.'],
  TOO_MANY_RESERVATIONS: [
    409,
    'You have an unfinished payment. Complete it, or try again in 30 minutes.'
  ],
  FIRST_ORDER_LIMIT: [409, 'This is more than we keep for a first order. Please call us for more.'],
  SHOP_CLOSED: [409, 'We are closed for a holiday.'],
  BELOW_MINIMUM_ORDER: [409, 'Your cart is below our minimum order.'],
  PINCODE_UNKNOWN: [404, CHECKOUT_MESSAGES.pincodeUnknown],
  NOT_DELIVERED: [409, CHECKOUT_MESSAGES.notDelivered],
  DAY_CLOSED: [409, CHECKOUT_MESSAGES.dayClosed],
  DAY_FULL: [409, CHECKOUT_MESSAGES.dayFull],
  ORDER_NOT_CANCELLABLE: [409, 'This order can no longer be cancelled online. Please call us.'],
  ORDER_ON_HOLD: [
    409,
    'Razorpay is handling a refund or dispute for this order. Please wait for its result.'
  ],
  ORDER_NOT_CHANGEABLE: [
    409,
    'This change is not possible. Please cancel the order and order again.'
  ],
  PAYMENT_REFUNDED: [409, CHECKOUT_MESSAGES.paymentRefunded],
  BODY_TOO_LARGE: [413, 'The request is too large.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The request must be sent as JSON.'],
  UNSUPPORTED_PICTURE: [
    415,
    'Please choose a JPEG, PNG, WebP or AVIF picture of at most 24 megapixels.'
  ],
  PAYMENT_ORDER_REFUSED: [
    422,
    'Our payment service doesn’t accept this amount. Please order fewer packs, or call us.'
  ],
  TEXT_NOT_RENDERABLE: [422, ADMIN_MESSAGES.textNotRenderable],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Please try again in a moment.'],
  INTERNAL: [500, BROWSER_ERROR_TEXTS.INTERNAL],
  BACKUP_FAILED: [503, ADMIN_MESSAGES.backupFailed],
  PAYMENTS_UNAVAILABLE: [
    503,
    'The payment service can’t be reached right now. Nothing was charged; please try again.'
  ],
  SHOP_NOT_LIVE: [503, 'We can’t take orders at the moment. Please try again later.'],
  LEGAL_DETAILS_MISSING: [503, 'We can’t take orders yet. Please come back soon.'],
  MAIL_NOT_SENT: [503, ADMIN_MESSAGES.testMailFailed],
  UNAVAILABLE: [503, 'The shop is busy or being updated. Please try again in a moment.'],
  OFFLINE: [503, BROWSER_ERROR_TEXTS.OFFLINE]
} as const)
