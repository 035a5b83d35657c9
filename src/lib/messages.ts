/** Every text that a shopper may read when something happens; the wording is the specification's where it gives one. */
export const MESSAGES = {
  productsFailed: 'Failed to fetch products',
  productsInvalid: 'Invalid data format received from server',
  productsInvalidShort: 'Invalid data format',
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
  addToCart: 'Add to Cart',
  outOfStock: 'Out of Stock',
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
  notFoundCode: '404',
  notFound: 'Oops! Page not found',
  invalidInput: 'Please check the highlighted fields.',
  malformed: 'The request could not be understood.',
  notFoundCall: 'There is nothing at this address.',
  tooLarge: 'That is more than the shop can take in one go.',
  unsupportedMedia: 'The request must be sent as JSON.',
  tooMany: 'Too many requests. Please wait a little and try again.',
  internal: 'Something went wrong on our side. Please try again.',
  unavailable: 'The shop is busy or being updated. Please try again in a moment.',
  offline: 'We cannot reach the shop. Check your connection and try again.'
} as const

/** '{name} has been added to your cart.' */
export const cartItemAddedText = (name: string): string => `${name} has been added to your cart.`
/** '{name} quantity has been updated.' */
export const cartItemUpdatedText = (name: string): string => `${name} quantity has been updated.`
/** Says why more can't be added, and what the shopper has already. */
export const onlyLeft = (left: number, inCart: number): string => `Only ${left} left, ${inCart} in your cart.`
/** The 'In Cart: n' of a product card. */
export const inCart = (count: number): string => `In Cart: ${count}`
