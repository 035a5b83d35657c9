/** What the owner may read when something happens. Apart from the shopper's texts, which every page carries. */
export const ADMIN_MESSAGES = {
  changedByOthers: 'Somebody else has changed this meanwhile. Look at what is different before you save.',
  loadFailed: 'This could not be loaded.',
  saved: 'Saved. The shop’s pages follow by themselves.',
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
  pictureRequired: 'Visitors see only products with a picture: add one, or keep the product hidden',
  pictureUnknown: 'One of the pictures is not in the shop: please add it again',
  pictureTooLarge: 'This picture has more than 10 MB. Please choose a smaller one.',
  pictureMissing: 'No picture arrived. Please choose one.',
  nothingToSave: 'There was nothing to save.',
  productsNone: 'No products found.',
  productNotFound: 'This product is no longer in the shop.',
  draftRestored: 'What you typed before is here again.',
  pictureFailed: 'The picture could not be added.',
  pictureReading: 'Reading the picture…',
  picturePreparing: 'Making it ready for phones and laptops…',
  picturesTooMany: 'A product has at most eight pictures.',
  importFailed: 'The table could not be read.',
  importUnreadable: 'This is not a table that can be read. Export the products and start from that file.',
  importNoKeyColumn: 'The first line must name the columns, and one of them must be Id or Name.',
  importTooLong: 'This is more than can be imported at once: at most 2,000 products.',
  importUnknownId: 'There is no product with this id. Leave the id empty for a new product.',
  importDuplicate: 'This product is in the table twice.',
  importYesNo: 'Please write yes or no',
  ordersNone: 'No orders found.',
  ordersFailed: 'The orders could not be changed.',
  orderStatusOrder: 'An order goes from pending to packed to delivered, one step at a time.',
  orderReasonRequired: 'Please tell the shopper why',
  customerDeleted: 'Nobody is known any more who could have ordered this: the account has ended.',
  orderCancelled: 'The order is cancelled, and the payment goes back by itself.',
  printNone: 'Choose the orders to print first.',
  exportFailed: 'The table could not be made.',
  usersNone: 'No accounts found.',
  userNotFound: 'This account has ended.',
  userFailed: 'The account could not be changed.',
  userLoggedOut: 'Logged out everywhere',
  lastAdmin: 'This is the only administrator. Make somebody else one first.',
  userNotVerified: 'Only who has proved their e-mail address by a code can become an administrator.',
  messagesNone: 'No messages found.',
  messageNotFound: 'This message is no longer there.',
  messageFailed: 'The message could not be marked.',
  lowStockNone: 'There is enough of everything.',
  publishInProgress: 'The latest changes are on their way to the visitors.',
  publishFailed: 'The latest changes could not be published.',
  postTitleRequired: 'Please enter a title',
  postAuthorRequired: 'Please say who wrote it',
  postExcerptRequired: 'Please say in a sentence what it is about',
  postContentRequired: 'Please write the post',
  postDayInvalid: 'Please choose today or an earlier day',
  postSlugInvalid: 'Please use small letters from a to z, digits and hyphens: caring-for-pickles',
  postSlugTaken: 'There is a post at this address already',
  postPictureUnknown: 'The picture is not in the shop: please add it again',
  postNotFound: 'This post is no longer there.',
  postsNone: 'No posts found.',
  postsEmpty: 'Nothing has been written yet.',
  postDraftSaved: 'Saved as a draft. Visitors don’t see it.',
  previewFailed: 'The preview is not up to date.',
  previewNone: 'What you write is shown here as visitors will read it.',
  dealsNone: 'No deal is running or coming.',
  dealsProductsFailed: 'Failed to load products',
  dealCreated: 'Discounted product created successfully',
  dealCreateFailed: 'Failed to create discounted product',
  dealDeleteFailed: 'Failed to delete discounted product',
  dealNotFound: 'This deal is no longer there.',
  dealEnded: 'This deal is over, so its terms stay as they were.',
  publishUpToDate: 'All that you have saved is on the shop’s pages.',
  publishNone: 'No page has been published yet.',
  publishUnavailable: 'The shop’s pages are not published from here.',
  publishUnknown: 'How publishing stands is not known right now.',
  publishOlderVersion: 'This is an older release, put back on purpose. It stays until the next change.',
  publishRetryFailed: 'Publishing could not be started.',
  publishStarted: 'Publishing starts now',
  publishRestored: 'Visitors see the older release again',
  backupNone: 'No backup has been made yet.',
  backupContents:
    'Orders, accounts and pictures in one file. It tells who your shoppers are: keep it where nobody else can read it.',
  backupInProgress: 'Making the backup…',
  backupNotFound: 'This backup is no longer there. Make another one.',
  backupFailed: 'The backup could not be made.',
  importChanged: 'The products have changed since you looked. Look at the rows again before you import them.'
} as const

/** Said when the stock is no longer what it was when somebody began to change it. */
export const stockConflict = (stock: number): string =>
  `The stock has changed meanwhile: it is ${stock} now. Please look again.`

/** Said when the price is no longer what it was when somebody began to change it. */
export const priceConflict = (price: string): string =>
  `The price has changed meanwhile: it is ${price} now. Please look again.`
export const pictureUploading = (percent: number): string => `Sending, ${percent} % done…`
export const productAdded = (name: string): string => `${name} is in the shop`
export const productDeleted = (name: string): string => `${name} was deleted`
export const productHidden = (name: string): string => `${name} is hidden from visitors`
export const productShown = (name: string): string => `${name} is shown to visitors`
export const postCount = (count: number): string => (count === 1 ? '1 post' : `${count} posts`)
export const postDeleted = (title: string): string => `“${title}” was deleted`
export const postHidden = (title: string): string => `“${title}” is a draft`
export const postPublished = (title: string): string => `“${title}” is published`
/** What the undo bar says of a quick change. */
export const priceSet = (name: string, price: string): string => `${name}: ${price}`
export const stockSet = (name: string, stock: number): string => `${name}: ${stock} in stock`

export const orderCount = (count: number): string => (count === 1 ? '1 order' : `${count} orders`)
/** What the undo bar says of orders that were moved. */
export const orderStatusSet = (number: string, status: string): string => `Order ${number}: ${status.toLowerCase()}`
export const orderStatusesSet = (count: number, status: string): string => `${orderCount(count)}: ${status.toLowerCase()}`
/** Said when an order is no longer where it was when somebody began to move it. */
export const orderConflict = (status: string): string =>
  `Somebody else has moved this order meanwhile: it is ${status.toLowerCase()} now. Please look again.`
export const ordersNotChanged = (count: number): string =>
  `${orderCount(count)} had been moved by somebody else meanwhile and stayed as they are.`

export const userCount = (count: number): string => (count === 1 ? '1 account' : `${count} accounts`)
export const messageCount = (count: number): string => (count === 1 ? '1 message' : `${count} messages`)
/** What the undo bar says of a role that was changed. */
export const roleSet = (name: string, role: string): string =>
  role === 'admin' ? `${name} is an administrator` : `${name} is no administrator any more`

/** What the undo bar says of a deal whose terms were changed. */
export const dealChanged = (name: string): string => `${name}: the deal has its new terms`
export const drawnCount = (count: number): string =>
  count === 0 ? 'Not drawn yet' : count === 1 ? 'Drawn by 1 shopper' : `Drawn by ${count} shoppers`

/** `size` in bytes. */
export const backupSaved = (size: number): string =>
  `The backup (${(size / 1e6).toFixed(1)} MB) is being saved on this device.`
