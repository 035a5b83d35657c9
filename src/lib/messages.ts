/** Every text that a shopper may read when something happens; the wording is the specification's where it gives one. */
export const MESSAGES = {
  productsFailed: 'Failed to fetch products',
  productsInvalid: 'Invalid data format received from server',
  productsInvalidShort: 'Invalid data format',
  productsLoading: 'Loading products…',
  productsNone: 'No products found matching your criteria.',
  productNotFound: 'Product not found',
  productFailed: 'Failed to load product details',
  backToProducts: 'Back to Products',
  blogFailed: 'Failed to load blogs. Please try again later.',
  blogNone: 'No blog posts available at the moment.',
  homeDealsFailed: 'Failed to load discounted products',
  dealsNone: 'No active flash deals at the moment',
  dealAdded: 'Added to cart!',
  dealProductNameMissing: 'Product Name Not Available',
  dealProductMissing: 'Product information is missing',
  dealsFailed: 'Failed to load flash deals. Please try again later.',
  dealLogin: 'Please login to get your personal discount',
  dealLoginHint: 'Login to get discount',
  dealClickHint: 'Click to get your discount',
  dealClickFirst: 'Please click on the product to get your discount first',
  dealGenerating: 'Generating your discount...',
  dealHad: 'You already have a discount for this product',
  dealDrawFailed: 'Failed to generate discount. Please try again.',
  dealYourDiscount: 'Your Discount',
  dealYourPrice: 'Your Price',
  dealOnePack: 'One pack, until',
  dealUsed: 'You have used this discount in an order.',
  contactFailed: 'Failed to send message.',
  contactSent: 'Message Sent!',
  contactSentText: "We'll get back to you as soon as possible.",
  contactNameRequired: 'Please enter your name',
  contactEmailRequired: 'Please enter your email',
  contactEmailInvalid: 'Please enter a valid email address',
  contactMessageRequired: 'Please enter your message',
  contactNotSent: 'Your message was not sent',
  contactGoBack: 'Go back in your browser: what you typed is still there.',
  contactStartAgain: 'Open an empty contact form',
  fillInAll: 'Please fill in all fields',
  passwordTooShort: 'Password must be at least 6 characters long',
  passwordCommon:
    'This is among the first passwords that somebody would guess. A few words that only you put together are safer.',
  passwordPattern: 'A row of digits or keys is easy to guess. A few words that only you put together are safer.',
  passwordShort: 'A longer password is safer: a few words that only you put together.',
  invalidCredentials: 'Invalid credentials',
  emailTaken: 'This email already has an account. Please log in, by a code if you have no password.',
  loginFailed: 'Login failed',
  registrationFailed: 'Registration failed',
  signupFailed: 'Signup failed',
  signupFailedText: 'Failed to create account',
  tryAgain: 'Please try again',
  loginSuccessful: 'Login successful',
  loginSuccessfulText: 'Welcome back!',
  signupSuccessful: 'Signup successful',
  signupSuccessfulText: 'Welcome to our platform!',
  loggedOut: 'Logged out',
  loggedOutText: 'You have been successfully logged out.',
  loggedOutEverywhere: 'You have been logged out on all devices.',
  sessionExpired: 'Session expired',
  loginAgain: 'Please login again to continue',
  forbidden: 'This is for the people who run the shop.',
  codeSentTitle: 'Code sent',
  codeSent: 'We have sent a code to this address. It may take a minute to arrive.',
  codeFailed: 'Failed to send OTP',
  codeRequired: 'Please enter the 6-digit code',
  codeInvalidTitle: 'Invalid OTP',
  codeTryAgain: 'Try again',
  codeInvalid: 'This code is not right. Please check it and try again.',
  codeExpired: 'This code has expired. Please ask for a new one.',
  codeUsedUp: 'This code can no longer be used. Please ask for a new one.',
  proofRequired: 'Please confirm with your password or with a code',
  profileLoading: 'Loading...',
  profileLogin: 'Please login to view your profile.',
  profileFailed: 'Failed to load profile.',
  profileNotSaved: 'Failed to update profile.',
  profileSaved: 'Profile saved',
  passwordChanged: 'Password changed',
  passwordNotChanged: 'Failed to change the password.',
  passwordChangedText: 'You have been logged out everywhere else.',
  nameRequired: 'Name is required.',
  phoneInvalid: 'Please enter a valid 10-digit phone number',
  pincodeInvalid: 'Please enter a valid 6-digit pincode',
  logoutFailed: 'Failed to log out everywhere.',
  downloadFailed: 'Failed to collect your data.',
  accountNotDeleted: 'Failed to delete the account.',
  accountDeleted: 'Your account has been deleted.',
  dealNotFound: 'There is no deal for this product.',
  dealNotStarted: 'This deal has not started yet.',
  dealEnded: 'This deal has ended.',
  dealOverlaps: 'This product has another deal in that time.',
  dealProductRequired: 'Please choose a product',
  dealPercentInvalid: 'Please enter a whole percentage from 1 to 100',
  dealPercentZero: 'A deal of 0% would be none. Please enter a percentage from 1 to 100.',
  dealTimeInvalid: 'Please enter a date and time',
  dealEndTooEarly: 'The deal must end after it starts.',
  dealEndPast: 'The deal must end in the future.',
  dealDeleted: 'Discounted product deleted successfully',
  addToCart: 'Add to Cart',
  outOfStock: 'Out of Stock',
  inStock: 'In stock',
  fewLeft: 'Few left',
  cartItemAdded: 'Item added to cart',
  cartItemUpdated: 'Item quantity updated',
  cartItemRemoved: 'Item removed',
  cartItemRemovedText: 'The item has been removed from your cart.',
  cartCleared: 'Cart cleared',
  cartClearedText: 'All items have been removed from your cart.',
  cartEmpty: 'Your cart is empty',
  cartContinue: 'Continue Shopping',
  cartLinesDropped: 'Some items could not be restored',
  cartLinesDroppedText: 'They were saved in a form that this shop no longer understands. Please add them again.',
  cartLimit: 'That is all we can pack',
  cartDiscountLimit: 'You cannot add more quantity of a discounted product',
  cartItemRestored: 'Item put back',
  cartSoldOut: 'Sorry, it has just sold out.',
  notFoundCode: '404',
  notFound: 'Oops! Page not found',
  invalidInput: 'Please check the highlighted fields.',
  invalidField: 'This could not be understood.',
  malformed: 'The request could not be understood.',
  invalidSignature: 'The signature does not fit what was sent.',
  notFoundCall: 'There is nothing at this address.',
  tooLarge: 'That is more than the shop can take in one go.',
  unsupportedMedia: 'The request must be sent as JSON.',
  unsupportedPicture: 'Please choose a JPEG, PNG, WebP or AVIF picture of at most 24 megapixels.',
  tooMany: 'Too many requests. Please wait a little and try again.',
  internal: 'Something went wrong on our side. Please try again.',
  unavailable: 'The shop is busy or being updated. Please try again in a moment.',
  opening: 'The shop is opening',
  openingText: 'The shelves are being filled. This page will open by itself in a moment.',
  offline: 'We cannot reach the shop. Check your connection and try again.'
} as const

/** '{name} has been added to your cart.' */
export const cartItemAddedText = (name: string): string => `${name} has been added to your cart.`
/** '{name} quantity has been updated.' */
export const cartItemUpdatedText = (name: string): string => `${name} quantity has been updated.`
/** Refuses a text that is too long. */
export const atMost = (characters: number): string => `Please use at most ${characters} characters`
/** Says why more can't be added, and what the shopper has already. */
export const onlyLeft = (left: number, inCart: number): string =>
  inCart === 0 ? `Only ${left} left.` : `Only ${left} left, ${inCart} in your cart.`
/** Said when it is not the stock that ends a line, but what one order may hold. */
export const orderLimit = (most: number): string =>
  `One order takes at most ${most} packs of a product. Please call us for more.`
export const cartItemRestoredText = (name: string): string => `${name} is in your cart again.`
/** What changed since a line was put in the cart. */
export const priceNow = (price: string): string => `Price is now ${price}`
export const stockNow = (left: number): string => `Only ${left} left`
/** '12 products', as the product list says after filtering. */
export const productCount = (count: number): string => (count === 1 ? '1 product' : `${count} products`)
/** The 'In Cart: n' of a product card. */
export const inCart = (count: number): string => `In Cart: ${count}`
/** The badge of a product with a running deal. */
export const upToPercentOff = (percent: number): string => `Up to ${percent}% off`
/** What a draw may come to, honestly. `until` says when the deal ends. */
export const dealRange = (percent: number, until: string): string =>
  percent === 1 ? `1% off, yours until ${until}` : `between 1% and ${percent}% off, yours until ${until}`
/** 'Congratulations! You got a {n}% discount!' */
export const dealDrawn = (percent: number): string => `Congratulations! You got a ${percent}% discount!`
export const dealOverlapsWith = (from: string, to: string): string =>
  `This product has another deal, from ${from} to ${to}.`
export const dealOver = (name: string): string => `The deal on ${name} has ended.`
/** What a deal promises, honestly: the lowest price is the luckiest draw's. */
export const dealOffer = (percent: number, lowest: string): string => `up to ${percent}% off, from ${lowest}`
/** '40 seconds', '12 minutes', '3 hours': never less than what is left. */
export const inWords = (seconds: number): string => {
  const [count, unit] =
    seconds <= 90 ? [seconds, 'second'] : seconds <= 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const whole = Math.ceil(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
/** Says how long to wait; `seconds` as in the Retry-After header. */
export const tooManyFor = (seconds: number): string => `Too many requests. Please try again in ${inWords(seconds)}.`
export const codeResendIn = (seconds: number): string => `You can ask for another code in ${inWords(seconds)}.`
/** The code is the way in that guessing can't close. */
export const tooManyPasswords = (seconds: number): string =>
  `Too many tries. Please wait ${inWords(seconds)}, or log in with a code.`
export const adminGreeting = (name: string): string => `Vanakkam, ${name}!`
