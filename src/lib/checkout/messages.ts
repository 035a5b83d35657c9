import type { QuotedCouponProblem } from '../contract/checkout.ts'
import { locale, t, texts } from '../contract/texts.ts'
import { formatSeconds } from '../messages.ts'

/** Apart, to keep the scripts of other pages small. */
export const CHECKOUT_MESSAGES = texts({
  paymentLoading: 'Checking your payment…',
  payNotOrderable: 'Some items aren’t available. Please fix the marked items.',
  paymentNothingCharged: 'Nothing was charged. Your cart and your details are still here.',
  paymentSyncFailed:
    'We couldn’t confirm your payment yet. ' +
    'If you were charged, your order will appear under My Orders.',
  viewOrders: 'View My Orders',
  paymentOrderFailed: 'Failed to create Razorpay order',
  paymentRefunded: 'We couldn’t place this order. Your payment will be refunded in full.',
  orderPlaced: 'Order placed successfully!',
  orderNotFound: 'Order not found',
  shopClosed: 'We are closed for a holiday',
  pincodeUnknown: 'There is no such pincode. Please check it.',
  notDelivered: 'We don’t deliver to this pincode.',
  dayClosed: 'This day is no longer open. Please choose another one.',
  dayFull: 'This day is full. Please choose another one.',
  localOnly: 'This does not travel well by courier, so we deliver it only near our kitchen.'
})

export const OFFLINE_NOTICE = texts({
  title: 'No connection',
  text: 'Nothing was charged; your cart and address are kept. Try again.'
})

const toSentence = (text: string) => text.replace(/\.?$/, '.')

export const attemptFailedText = (reason: string): string =>
  t('{reason} Nothing was charged. You can try again.', { reason: toSentence(reason) })
const COUPON_PROBLEM_TEXTS = texts<Record<Exclude<QuotedCouponProblem, 'minimum'>, string>>({
  unknown: 'This code is not valid, or it has ended.',
  used: 'You have already used this coupon.',
  unverified: 'To use this coupon, please log in with a code by email first.',
  limited: 'Too many wrong codes. Please try again in an hour.',
  no_items: 'This coupon is not for the items in your cart.',
  no_gain: 'The prices in your cart are already as low without this coupon.'
})
export const couponProblemText = (problem: QuotedCouponProblem, minimum: string): string =>
  problem === 'minimum'
    ? t('This coupon is for orders of at least {minimum}.', { minimum })
    : COUPON_PROBLEM_TEXTS[problem]
export const paidInputText = (problem: string): string =>
  t(
    '{problem} Please correct this and send the order again. ' +
      'Otherwise your payment is refunded in full.',
    { problem: toSentence(problem) }
  )
export const paidRefusalText = (reason: string): string =>
  t('{reason} Your payment will be refunded in full.', { reason: toSentence(reason) })
export const newTotalText = (total: string): string => t('The total is now {total}.', { total })
export const servedStateText = (state: string | null): string =>
  state === null
    ? t('We can’t deliver at the moment. Please contact us.')
    : t('We deliver only within {state}.', { state })
export const firstOrderLimitText = (packs: number): string =>
  t('We keep at most {packs} packs for a first order. Please call us for more.', { packs })
export const othersPayText = (what: string): string =>
  t('Other shoppers are just paying for {what}. Please try again in a few minutes.', { what })
export const checkoutPausedText = (seconds: number): string =>
  t('Your last checkouts were not paid. Please try again in {time}, or call us.', {
    time: formatSeconds(seconds)
  })
export const stateConflictText = (pincode: string, states: readonly string[]): string =>
  t('{pincode} is in {states}', {
    pincode,
    states: new Intl.ListFormat(locale(), { type: 'disjunction' }).format(states)
  })
