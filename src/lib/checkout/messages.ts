import type { QuotedCouponProblem } from '../contract/checkout.ts'
import { formatSeconds } from '../messages.ts'

/**
 * Messages of cart, checkout and orders. A separate file keeps the scripts of other pages small.
 */
export const CHECKOUT_MESSAGES = {
  payConfirm: 'I confirm that my delivery address is correct.',
  payConfirmPickup: 'I confirm that I will pick up my order at this address.',
  payConfirmMissing: 'Please confirm your address to pay.',
  payConfirmPickupMissing: 'Please confirm the pickup to pay.',
  payPreparing: 'Preparing the payment…',
  verifyToOrder: 'Please confirm your email address with a code to order.',
  payWindow: 'Please complete your payment with Razorpay.',
  paymentLoading: 'Checking your payment…',
  payPlacingOrder: 'Payment received. Placing your order…',
  paySecure: 'Secure payment by Razorpay: UPI, card or netbanking. We never see your card details.',
  payCartChanged:
    'We added items from your saved cart. Please check the total and press Pay Now again.',
  payNotOrderable: 'Some items aren’t available. Please fix the marked items.',
  payTotalChanged: 'The total has changed. Please check it and press Pay Now again.',
  deliveryAny: 'As soon as possible',
  phoneHint: 'Only for calls about your delivery.',
  emailHint: 'For your order confirmation.',
  emailHintGuest: 'For your order confirmation and a login code.',
  paymentNothingCharged: 'Nothing was charged. Your cart and your details are still here.',
  paymentSyncFailed:
    'We couldn’t confirm your payment yet. If you were charged, your order will appear under My Orders.',
  paymentNotCompleted: 'The payment was not completed.',
  paymentStillChecking: 'Please don’t pay again. We’re still checking.',
  paymentPending:
    'Your order will appear here and under My Orders. If we can’t place it, you get a full refund.',
  paymentCheckingTitle: 'We are checking your payment',
  paymentRefundedTitle: 'Your payment is being refunded',
  orderNext: 'What happens next',
  orderMailSentTo: 'We’ve sent a confirmation to',
  orderNotMailed: 'Please note this number: we can’t send emails at the moment.',
  orderSaveAddress: 'Save this address for next time?',
  orderAddressSaved: 'Address saved',
  couponWithoutItems: 'A coupon needs the items of the order.',
  orderCancelled: 'Order cancelled',
  orderCancelledText: 'Full refund in 5–8 days.',
  orderWasCancelled: 'This order was cancelled. Full refund in 5–8 days.',
  orderNotCancelled: 'The order was not cancelled.',
  tooManyCancellations:
    'You have cancelled several orders today. Please call us to cancel this one.',
  invoiceNone: 'No invoice: this order has not been paid.',
  creditNoteNone: 'This order has no credit note.',
  invoiceFailed: 'Failed to load the invoice. Please try again later.',
  gstNotRegistered: 'Not registered for GST: no tax is charged.',
  gstComposition: 'Composition taxable person: no tax is charged.',
  gstIncluded: 'Prices include GST.',
  orderLogin: 'Please log in to see this order',
  orderLoginText: 'If you have paid, your order is saved under My Orders.',
  viewOrders: 'View My Orders',
  cartDiscountLogin: 'Log in to use this discount.',
  paymentScriptFailed: 'Razorpay SDK failed to load. Are you online?',
  paymentOrderFailed: 'Failed to create Razorpay order',
  paymentNotFinalised: 'Payment successful, but failed to finalize order.',
  paymentContactSupport: 'Please contact support.',
  paymentDeclined: 'The payment didn’t go through',
  paymentCancelled: 'Payment was cancelled.',
  bankNotConfirmed: 'Your bank has not confirmed the payment yet. Please don’t pay again.',
  paymentRefunded: 'We couldn’t place this order. Your payment will be refunded in full.',
  orderPlaced: 'Order placed successfully!',
  orderNotFound: 'Order not found',
  ordersFailed: 'Failed to fetch orders. Please try again later.',
  ordersFailedTitle: 'Error Fetching Orders',
  ordersLogin: 'Please log in to view your orders.',
  ordersNone: 'No orders found.',
  orderProductUnknown: 'Product',
  nothingAddedToCart: 'Nothing added to cart',
  deliveryDateTooEarly: 'This date is too soon. Please choose a later one.',
  deliveryDateClosed: 'We are closed on this day. Please choose another one.',
  eventTooEarly: 'Your event is before the delivery. Please check both dates.',
  shopClosed: 'We are closed for a holiday',
  cartKept: 'Your cart is kept.',
  cartDiscountEnded: 'Your discount has ended, so this is the normal price.',
  cartDiscountUsed: 'You already used your discount, so this is the normal price.',
  cartDiscountKept: 'Your discount is kept for later, because this price is lower.',
  couponQuestion: 'Have a coupon code?',
  couponMissing: 'Please enter your coupon code',
  couponFailed: 'We couldn’t check the code',
  cartOutOfStock: 'Out of stock',
  cartGone: 'No longer sold'
} as const

export const OFFLINE_NOTICE = {
  title: 'No connection',
  text: 'Nothing was charged; your cart and address are kept. Try again.'
} as const

export const payNowLabel = (total: string): string => `Pay Now · ${total}`
export const attemptFailedText = (reason: string): string =>
  `${reason.replace(/\.?$/, '.')} Nothing was charged. You can try again.`
const COUPON_PROBLEM_TEXTS: Record<Exclude<QuotedCouponProblem, 'minimum'>, string> = {
  unknown: 'This code is not valid, or it has ended.',
  used: 'You have already used this coupon.',
  unverified: 'To use this coupon, please log in with a code by email first.',
  limited: 'Too many wrong codes. Please try again in an hour.',
  no_items: 'This coupon is not for the items in your cart.',
  no_gain: 'The prices in your cart are already as low without this coupon.'
}
export const couponProblemText = (problem: QuotedCouponProblem, minimum: string): string =>
  problem === 'minimum'
    ? `This coupon is for orders of at least ${minimum}.`
    : COUPON_PROBLEM_TEXTS[problem]
export const minimumOrderText = (missing: string, minimum: string): string =>
  `${missing} more to reach our minimum order of ${minimum}`
export const paidInputText = (problem: string): string =>
  `${problem.replace(/\.?$/, '.')} Please correct this and send the order again. Otherwise your payment is refunded in full.`
export const paidRefusalText = (reason: string): string =>
  `${reason.replace(/\.?$/, '.')} Your payment will be refunded in full.`
export const newTotalText = (total: string): string => `The total is now ${total}.`
/** `state` is null if the shop does not know its own. */
export const servedStateText = (state: string | null): string =>
  state === null
    ? 'We can’t deliver at the moment. Please contact us.'
    : `We deliver only within ${state}.`
export const dayMovedText = (day: string, isFull: boolean, next: string): string =>
  `${day} is ${isFull ? 'full' : 'no longer open'}. We chose ${next}: please check it and press Pay Now again.`
export const deliveryHintText = (earliest: string, isPickup: boolean): string =>
  `We cook fresh. Earliest ${isPickup ? 'pickup' : 'delivery'}: ${earliest}.`
export const movedToCartText = (count: number): string =>
  count === 1 ? 'The item is in your cart.' : `All ${count} items are in your cart.`
export const notAvailableText = (items: readonly string[]): string =>
  `Not available: ${items.join(', ')}.`
export const firstOrderLimitText = (packs: number): string =>
  `We keep at most ${packs} packs for a first order. Please call us for more.`
export const othersPayText = (what: string): string =>
  `Other shoppers are just paying for ${what}. Please try again in a few minutes.`
export const checkoutPausedText = (seconds: number): string =>
  `Your last checkouts were not paid. Please try again in ${formatSeconds(seconds)}, or call us.`
