import { plural, t, text, texts } from './contract/texts.ts'

/** Apart from `MESSAGES`, which most content pages don't load. */
export const LOGIN_AGAIN = text('Please login again to continue')

/** Messages for shoppers. Many are fixed word for word by the specification. */
export const MESSAGES = texts({
  policyNone: 'We are still writing this page.',
  testMode: 'Test mode: no money moves',
  mailNotSetUp: 'Email is not set up: nothing is sent',
  productNotFound: 'Product not found',
  discountedProductsFailed: 'Failed to load discounted products',
  dealsNone: 'No active flash deals at the moment',
  dealProductNameMissing: 'Product Name Not Available',
  dealProductMissing: 'Product information is missing',
  dealLogin: 'Please login to get your personal discount',
  dealGenerating: 'Generating your discount...',
  dealDrawFailed: 'Failed to generate discount. Please try again.',
  dealUsed: 'You have already used this discount.',
  contactSent: 'Message Sent!',
  contactSentText: "We'll get back to you as soon as possible.",
  invalidCredentials: 'Invalid credentials',
  tryAgain: 'Please try again',
  loggedOut: 'Logged out',
  loggedOutText: 'You have been successfully logged out.',
  forbidden: 'Only administrators can do this.',
  addToCart: 'Add to Cart',
  outOfStock: 'Out of Stock',
  stockAlertAsk: 'Tell me when it’s back',
  stockAlertLinkInvalid:
    'This link is incomplete. Please open it again from the email or from the product’s page.',
  inStock: 'In stock',
  cookedToOrder: 'Cooked to order',
  insteadOf: 'instead of',
  fewLeft: 'Few left',
  cartItemAdded: 'Item added to cart',
  cartItemUpdated: 'Item quantity updated',
  cartContinue: 'Continue Shopping',
  notFound: 'Oops! Page not found',
  invalidInput: 'Please check the highlighted fields.',
  invalidField: 'Please check this.',
  passwordCommon: 'This password is easy to guess. Try three or four unrelated words.',
  loginFailed: 'Login failed',
  loginSuccessful: 'Login successful',
  profileLoading: 'Loading...',
  profileNotSaved: 'Failed to update profile.',
  accountDeleted: 'Your account has been deleted.'
})

/** By code, of the errors that a browser raises itself. The server sends its own texts. */
export const BROWSER_ERROR_TEXTS = texts({
  INTERNAL: 'Something went wrong on our side.',
  OFFLINE: 'We cannot reach the shop. Check your connection and try again.'
})

export const DIETARY_LABELS = texts({ vegetarian: 'Vegetarian', vegan: 'Vegan' })

export const lowStockText = (left: number): string => t('Only {count} left', { count: left })
export const sizesText = (count: number): string => t('{count} sizes', { count })
export const inCart = (count: number): string => t('In Cart: {count}', { count })
/** `total` as a price. */
export const addAllText = (count: number, total: string): string =>
  count === 0
    ? MESSAGES.outOfStock
    : plural(count, 'Add {count} · {total}', 'Add all {count} · {total}', { total })
export const maxDiscountText = (percent: number): string => t('Up to {percent}% off', { percent })
export const dealOfferText = (percent: number): string =>
  t(percent > 1 ? 'Win 1–{percent}% off' : 'Win {percent}% off', { percent })
export const formatSeconds = (seconds: number): string => {
  if (seconds <= 90) return plural(Math.ceil(seconds), '{count} second', '{count} seconds')
  const minutes = Math.ceil(seconds / 60)
  if (seconds <= 5400) return plural(minutes, '{count} minute', '{count} minutes')
  return plural(Math.ceil(seconds / 3600), '{count} hour', '{count} hours')
}
export const tooManyRequestsText = (seconds: number): string =>
  t('Too many requests. Please try again in {time}.', { time: formatSeconds(seconds) })
export const codeResendText = (seconds: number): string =>
  t('You can request another code in {time}.', { time: formatSeconds(seconds) })
export const tooManyDrawsText = (seconds: number): string =>
  t(
    'Too many discounts were drawn from your network. ' +
      'Log in with a code by email, or wait {time}.',
    { time: formatSeconds(seconds) }
  )
export const tooManyPasswordsText = (seconds: number): string =>
  t('Too many attempts. Please wait {time}, or log in with a code.', {
    time: formatSeconds(seconds)
  })
export const emailSuggestionText = (email: string): string => t('Did you mean {email}?', { email })
