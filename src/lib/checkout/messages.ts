import type { QuotedCouponProblem } from '../contract/checkout.ts'
import { formatSeconds } from '../messages.ts'

/** Apart, to keep the scripts of other pages small. */
export const CHECKOUT_MESSAGES = {
  verifyToOrder: 'Please confirm your email address with a code to order.',
  paymentLoading: 'Checking your payment…',
  payNotOrderable: 'Some items aren’t available. Please fix the marked items.',
  paymentNothingCharged: 'Nothing was charged. Your cart and your details are still here.',
  paymentSyncFailed:
    'We couldn’t confirm your payment yet. ' +
    'If you were charged, your order will appear under My Orders.',
  couponWithoutItems: 'A coupon needs the items of the order.',
  tooManyCancellations:
    'You have cancelled several orders today. Please call us to cancel this one.',
  viewOrders: 'View My Orders',
  paymentScriptFailed: 'Razorpay SDK failed to load. Are you online?',
  paymentOrderFailed: 'Failed to create Razorpay order',
  paymentNotFinalised: 'Payment successful, but failed to finalize order.',
  paymentContactSupport: 'Please contact support.',
  paymentCancelled: 'Payment was cancelled.',
  paymentRefunded: 'We couldn’t place this order. Your payment will be refunded in full.',
  orderPlaced: 'Order placed successfully!',
  orderNotFound: 'Order not found',
  ordersFailed: 'Failed to fetch orders. Please try again later.',
  ordersFailedTitle: 'Error Fetching Orders',
  ordersLogin: 'Please log in to view your orders.',
  ordersNone: 'No orders found.',
  shopClosed: 'We are closed for a holiday',
  pincodeUnknown: 'There is no such pincode. Please check it.',
  notDelivered: 'We don’t deliver to this pincode.',
  dayClosed: 'This day is no longer open. Please choose another one.',
  dayFull: 'This day is full. Please choose another one.',
  localOnly: 'This does not travel well by courier, so we deliver it only near our kitchen.'
} as const

export const OFFLINE_NOTICE = {
  title: 'No connection',
  text: 'Nothing was charged; your cart and address are kept. Try again.'
} as const

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
export const paidInputText = (problem: string): string =>
  `${problem.replace(/\.?$/, '.')} Please correct this and send the order again. ` +
  'Otherwise your payment is refunded in full.'
export const paidRefusalText = (reason: string): string =>
  `${reason.replace(/\.?$/, '.')} Your payment will be refunded in full.`
export const newTotalText = (total: string): string => `The total is now ${total}.`
export const servedStateText = (state: string | null): string =>
  state === null
    ? 'We can’t deliver at the moment. Please contact us.'
    : `We deliver only within ${state}.`
export const firstOrderLimitText = (packs: number): string =>
  `We keep at most ${packs} packs for a first order. Please call us for more.`
export const othersPayText = (what: string): string =>
  `Other shoppers are just paying for ${what}. Please try again in a few minutes.`
export const checkoutPausedText = (seconds: number): string =>
  `Your last checkouts were not paid. Please try again in ${formatSeconds(seconds)}, or call us.`
export const stateConflictText = (pincode: string, states: readonly string[]): string =>
  `${pincode} is in ${states.join(' or ')}`
