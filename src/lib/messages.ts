/** Messages for shoppers. Many are fixed word for word by the specification. */
export const MESSAGES = {
  policyNone: 'We are still writing this page.',
  demo: 'This is a demo: its shop, products and prices are invented.',
  testMode: 'Test mode: no money moves',
  mailNotSetUp: 'Email is not set up: nothing is sent',
  productsFailed: 'Failed to fetch products',
  productsInvalid: 'Invalid data format received from server',
  productsInvalidShort: 'Invalid data format',
  productsLoading: 'Loading products…',
  productsNone: 'No products found matching your criteria.',
  productsSoon: 'Our first products will be here soon.',
  productNotFound: 'Product not found',
  productFailed: 'Failed to load product details',
  backToProducts: 'Back to Products',
  blogNone: 'No blog posts available at the moment.',
  discountedProductsFailed: 'Failed to load discounted products',
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
  dealAlreadyDrawn: 'You already have a discount for this product',
  dealDrawFailed: 'Failed to generate discount. Please try again.',
  dealYourDiscount: 'Your Discount',
  dealYourPrice: 'Your Price',
  dealOnePack: 'Valid for one pack until',
  dealUsed: 'You have already used this discount.',
  discountInCart: 'Your discounted pack is in your cart.',
  contactFailed: 'Failed to send message.',
  contactSent: 'Message Sent!',
  contactSentText: "We'll get back to you as soon as possible.",
  contactNotSent: 'Your message was not sent',
  contactGoBack: 'Go back in your browser. Your message is still there.',
  contactStartAgain: 'Open an empty contact form',
  invalidCredentials: 'Invalid credentials',
  tryAgain: 'Please try again',
  loggedOut: 'Logged out',
  loggedOutText: 'You have been successfully logged out.',
  forbidden: 'Only administrators can do this.',
  codeInvalid: 'This code is wrong. Please check it and try again.',
  codeExpired: 'This code has expired. Please request a new one.',
  dealEnded: 'This deal has ended.',
  addToCart: 'Add to Cart',
  outOfStock: 'Out of Stock',
  stockAlertAsk: 'Tell me when it’s back',
  stockAlertFailed: 'We couldn’t note that',
  stockAlertAsked: 'We’ll email you once it’s back in stock.',
  stockAlertsStopped: 'You’ll get no more of these emails.',
  stockAlertLinkInvalid:
    'This link is incomplete. Please open it again from the email or from the product’s page.',
  inStock: 'In stock',
  insteadOf: 'instead of',
  fewLeft: 'Few left',
  cartItemAdded: 'Item added to cart',
  cartItemUpdated: 'Item quantity updated',
  cartItemRemoved: 'Item removed',
  cartItemRemovedText: 'The item has been removed from your cart.',
  cartCleared: 'Cart cleared',
  cartClearedText: 'All items have been removed from your cart.',
  cartClearFailed: 'Failed to clear cart on backend',
  cartContinue: 'Continue Shopping',
  cartLinesDropped: 'Some items could not be restored',
  cartLinesDroppedText: 'Please add them to your cart again.',
  cartLimit: 'Can’t add more',
  cartItemRestored: 'Item restored',
  cartSoldOut: 'Sorry, this product has just sold out.',
  notFoundCode: '404',
  notFound: 'Oops! Page not found',
  invalidInput: 'Please check the highlighted fields.',
  invalidField: 'Please check this.',
  malformed: 'Invalid request.',
  unknownEndpoint: 'Not found.',
  internal: 'Something went wrong on our side.',
  unavailable: 'The shop is busy or being updated. Please try again in a moment.',
  opening: 'The shop is opening',
  openingText: 'We’re starting up. This page will reload in a moment.',
  offline: 'We cannot reach the shop. Check your connection and try again.'
} as const

export const cartItemAddedText = (name: string): string => `${name} has been added to your cart.`
export const cartItemUpdatedText = (name: string): string => `${name} quantity has been updated.`
export const seeCollectionText = (name: string): string => `See ${name}`
export const viewCartText = (packs: number): string => `View cart (${packs})`
export const onlyLeftText = (left: number, inCart: number): string =>
  inCart === 0 ? `Only ${left} left.` : `Only ${left} left, ${inCart} in your cart.`
export const orderLimitText = (max: number): string =>
  `You can order up to ${max} packs of a product. Please call us for more.`
export const cartItemRestoredText = (name: string): string => `${name} is back in your cart.`
export const newPriceText = (price: string): string => `Price is now ${price}`
export const lowStockText = (left: number): string => `Only ${left} left`
export const formatProductCount = (count: number): string =>
  count === 1 ? '1 product' : `${count} products`
export const backInStockText = (name: string): string => `${name} is back in stock`
export const sizesText = (count: number): string => `${count} sizes`
export const inCart = (count: number): string => `In Cart: ${count}`
export const maxDiscountText = (percent: number): string => `Up to ${percent}% off`
export const dealRangeText = (percent: number, until: string): string =>
  percent === 1 ? `Get 1% off until ${until}` : `Get 1–${percent}% off until ${until}`
export const yourPriceText = (price: string, percent: number): string =>
  `Your price ${price} (${percent}% off, one pack)`
export const dealDrawnText = (percent: number): string =>
  `Congratulations! You got a ${percent}% discount!`
export const dealOverlapText = (from: string, to: string): string =>
  `This product already has a deal from ${from} to ${to}.`
export const dealEndedText = (name: string): string => `The deal on ${name} has ended.`
export const dealOfferText = (percent: number, lowestPrice: string): string =>
  `Up to ${percent}% off: as low as ${lowestPrice}`
export const formatSeconds = (seconds: number): string => {
  const [count, unit] =
    seconds <= 90
      ? [seconds, 'second']
      : seconds <= 5400
        ? [seconds / 60, 'minute']
        : [seconds / 3600, 'hour']
  const rounded = Math.ceil(count)
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`
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
