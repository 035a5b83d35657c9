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
  dealProductNameMissing: 'Product Name Not Available',
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
  cartOutOfStock: 'Out of stock',
  cartGone: 'No longer sold',
  notFoundCode: '404',
  notFound: 'Oops! Page not found',
  invalidInput: 'Please check the highlighted fields.',
  invalidField: 'This could not be understood.',
  malformed: 'The request could not be understood.',
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
/** What a deal promises, honestly: the lowest price is the luckiest draw's. */
export const dealOffer = (percent: number, lowest: string): string => `up to ${percent}% off, from ${lowest}`
