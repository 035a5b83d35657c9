/** What the owner may read when something happens. Apart from the shopper's texts, which every page carries. */
export const ADMIN_MESSAGES = {
  changedMeanwhile: 'Somebody else has changed this meanwhile. Look at what is different before you save.',
  loadFailed: 'This could not be loaded.',
  saveFailed: 'This could not be saved.',
  tryAgain: 'Please try again.',
  undone: 'Undone',
  undoFailed: 'This could not be undone.',
  historyNone: 'Nothing has been changed here yet.',
  productNameRequired: 'Please enter a name',
  productDescriptionRequired: 'Please describe the product',
  productPriceInvalid: 'Please enter a price from ₹1, with at most two decimals',
  productStockInvalid: 'Please enter a whole number of packs, 0 or more',
  productPackInvalid: 'Please enter the size of a pack, such as 250 g or 12 pieces',
  productCategoryInvalid: 'Please choose a category',
  productDietaryInvalid: 'Please choose vegetarian or vegan',
  productIngredientsRequired: 'Please list what is in it',
  productShelfLifeRequired: 'Please say how long it keeps',
  pictureAltRequired: 'Please say what the picture shows',
  picturesNeeded: 'Visitors see only products with a picture: add one, or keep the product hidden',
  pictureUnknown: 'One of the pictures is not in the shop: please add it again',
  pictureTooLarge: 'This picture has more than 10 MB. Please choose a smaller one.',
  pictureMissing: 'No picture arrived. Please choose one.',
  importUnreadable: 'This is not a table that can be read. Export the products and start from that file.',
  importNoName: 'The first line must name the columns, and one of them must be Id or Name.',
  importTooLong: 'This is more than can be imported at once: at most 2,000 products.',
  importUnknownId: 'There is no product with this id. Leave the id empty for a new product.',
  importTwice: 'This product is in the table twice.',
  importYesNo: 'Please write yes or no',
  importChanged: 'The products have changed since you looked. Look at the rows again before you import them.'
} as const

/** Said when the stock is no longer what it was when somebody began to change it. */
export const stockMeanwhile = (stock: number): string =>
  `The stock has changed meanwhile: it is ${stock} now. Please look again.`
