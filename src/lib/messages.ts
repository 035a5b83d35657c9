/** Apart from `MESSAGES`, which most content pages don't load. */
export const LOGIN_AGAIN = 'Please login again to continue'

/** Messages for shoppers. Many are fixed word for word by the specification. */
export const MESSAGES = {
  policyNone: 'We are still writing this page.',
  testMode: 'Test mode: no money moves',
  mailNotSetUp: 'Email is not set up: nothing is sent',
  productsFailed: 'Failed to fetch products',
  productsInvalid: 'Invalid data format received from server',
  productsInvalidShort: 'Invalid data format',
  productsNone: 'No products found matching your criteria.',
  productNotFound: 'Product not found',
  discountedProductsFailed: 'Failed to load discounted products',
  dealsNone: 'No active flash deals at the moment',
  dealProductNameMissing: 'Product Name Not Available',
  dealProductMissing: 'Product information is missing',
  dealsFailed: 'Failed to load flash deals. Please try again later.',
  dealLogin: 'Please login to get your personal discount',
  dealLoginHint: 'Login to get discount',
  dealClickHint: 'Click to get your discount',
  dealClickFirst: 'Please click on the product to get your discount first',
  dealGenerating: 'Generating your discount...',
  dealAlreadyDrawn: 'You already have a discount for this product',
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
  opening: 'The shop is opening',
  openingText: 'We’re starting up. This page will reload in a moment.',
  passwordCommon: 'This password is easy to guess. Try three or four unrelated words.',
  loginFailed: 'Login failed',
  registrationFailed: 'Registration failed',
  signupFailedText: 'Failed to create account',
  loginSuccessful: 'Login successful',
  signupSuccessful: 'Signup successful',
  signupSuccessfulText: 'Welcome to our platform!',
  codeFailed: 'Failed to send OTP',
  profileLoading: 'Loading...',
  profileLogin: 'Please login to view your profile.',
  profileFailed: 'Failed to load profile.',
  profileNotSaved: 'Failed to update profile.',
  accountDeleted: 'Your account has been deleted.'
} as const

/** By code, of the errors that a browser raises itself. The server sends its own texts. */
export const BROWSER_ERROR_TEXTS = {
  INTERNAL: 'Something went wrong on our side.',
  OFFLINE: 'We cannot reach the shop. Check your connection and try again.'
} as const

export const lowStockText = (left: number): string => `Only ${left} left`
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
export const sizesText = (count: number): string => `${count} sizes`
export const inCart = (count: number): string => `In Cart: ${count}`
/** `total` as a price. */
export const addAllText = (count: number, total: string): string =>
  count === 0 ? MESSAGES.outOfStock : `Add ${count > 1 ? 'all ' : ''}${count} · ${total}`
export const maxDiscountText = (percent: number): string => `Up to ${percent}% off`
export const dealOfferText = (percent: number): string =>
  `Win ${percent > 1 ? '1–' : ''}${percent}% off`
export const formatSeconds = (seconds: number): string => {
  if (seconds <= 90) return formatCount(Math.ceil(seconds), 'second')
  if (seconds <= 5400) return formatCount(Math.ceil(seconds / 60), 'minute')
  return formatCount(Math.ceil(seconds / 3600), 'hour')
}
export const tooManyRequestsText = (seconds: number): string =>
  `Too many requests. Please try again in ${formatSeconds(seconds)}.`
export const codeResendText = (seconds: number): string =>
  `You can request another code in ${formatSeconds(seconds)}.`
export const tooManyDrawsText = (seconds: number): string =>
  `Too many discounts were drawn from your network. Log in with a code by email, or wait ${formatSeconds(seconds)}.`
export const tooManyPasswordsText = (seconds: number): string =>
  `Too many attempts. Please wait ${formatSeconds(seconds)}, or log in with a code.`
export const emailSuggestionText = (email: string): string => `Did you mean ${email}?`
