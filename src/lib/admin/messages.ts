import { PLACEHOLDER_LIST } from '../settings.ts'
import { formatShortDay } from '../time.ts'

export const ADMIN_MESSAGES = {
  changedByOthers: 'Someone else changed this while you were editing. Compare before you save.',
  loadFailed: 'This could not be loaded.',
  saved: 'Saved. The website updates in a few seconds.',
  websiteUpdates: 'The website updates in a few seconds.',
  saveFailed: 'This could not be saved.',
  tryAgain: 'Please try again.',
  undone: 'Undone',
  undoFailed: 'This could not be undone.',
  historyNone: 'No changes yet.',
  shopNameRequired: 'Please enter the name of your shop',
  nameRequired: 'Please enter a name',
  titleRequired: 'Please enter a title',
  commentRequired: 'Please enter what the customer said',
  emailInvalid: 'Please enter an email address, such as hello@example.com',
  phoneInvalid: 'Please enter a phone number, such as +91 90000 12345',
  dateInvalid: 'Please enter a date',
  linkRequired: 'Please enter a web address',
  linkInvalid:
    'Please enter a page of this shop, such as /products, or an address that begins with https://',
  webAddressInvalid: 'Please enter an address that begins with https://',
  listTooLong: 'Too many entries. Please remove some.',
  pincodeInvalid: 'Please enter a pincode of 6 digits',
  stateInvalid: 'Please choose a state from the list',
  mapPointInvalid: 'Please enter latitude and longitude, such as 10.827, 78.688',
  socialNameRequired: 'Please enter the name of the network, such as Instagram',
  fssaiInvalid: 'Please check the FSSAI number: it has 14 digits',
  gstinInvalid: 'Please check the GSTIN: it must have 15 characters and a correct check character',
  bannerPictureRequired: 'Please choose a picture',
  categoryNameInvalid: 'Please use lowercase letters a–z, digits and hyphens',
  categoryDuplicate: 'Another category has this name',
  categoryInUse:
    'A category that you removed still has products. Add it again and hide it, or move its products first.',
  categoryMissing:
    'Powders, Savouries, Pickles, Sweets and Seer Items can be hidden, but not removed.',
  categoryUnknown: 'This category does not exist',
  closedUntilPast: 'This day is over',
  closedHint: 'Visitors see it on every page. They can look around, but not order.',
  closedNeedsBothDays: 'Please enter the first and the last day',
  closedEndsBeforeStart: 'The last day is before the first day',
  amountInvalid: 'Please enter an amount in rupees, 0 or more',
  policyTextRequired: 'Please write the text.',
  pictureUnknown: 'The picture was not found. Please add it again.',
  productIdUnknown: 'This product no longer exists',
  productDescriptionRequired: 'Please describe the product',
  productPriceInvalid: 'Please enter a price from ₹1, with at most two decimals',
  productStockInvalid: 'Please enter a whole number of packs, 0 or more',
  salePriceInvalid: 'Please enter a sale price, for example 150.00',
  salePriceTooHigh: 'The sale price must be below the price.',
  saleStartInvalid: 'Please enter when the sale starts',
  saleEndInvalid: 'Please enter when the sale ends',
  saleEndTooEarly: 'The sale must end after it starts.',
  productPackInvalid: 'Please enter the pack size, such as 250 g or 12 pieces',
  productCategoryInvalid: 'Please choose a category',
  productDietaryInvalid: 'Please choose vegetarian or vegan',
  productIngredientsRequired: 'Please list the ingredients',
  productShelfLifeRequired: 'Please enter the shelf life',
  kitchenUnitsInvalid: 'Please enter a whole number of kitchen units, 0 or more',
  extraLeadInvalid: 'Please enter a whole number of days up to 60, usually 0',
  shelfLifeDaysInvalid: 'Please enter a whole number of days, or leave this empty',
  sizeExists: 'Another pack size of this product is equal. Please enter a different one.',
  familyInvalid: 'Please write the family in Latin letters, for example mysore-pak',
  positionInvalid: 'Please enter a whole number, 0 or more',
  collectionNotFound: 'This collection no longer exists.',
  collectionEmpty: 'Please choose products, or keep the collection hidden',
  collectionsEmpty:
    'Collections show products together on a page of their own, such as gifts for Diwali.',
  collectionUnknown: 'This collection does not exist. Add it under Collections first.',
  pictureAltRequired: 'Please describe the picture',
  pictureRequired: 'Add a picture, or keep the product hidden.',
  picturesUnknown: 'One of the pictures was not found. Please add it again.',
  pictureTooLarge: 'This picture is larger than 10 MB. Please choose a smaller one.',
  pictureMissing: 'No picture received. Please choose one.',
  nothingToSave: 'No changes to save.',
  productsNone: 'No products found.',
  productNotFound: 'This product no longer exists.',
  draftRestored: 'We restored your unsaved draft.',
  pictureFailed: 'The picture could not be added.',
  pictureReading: 'Reading the picture…',
  picturePreparing: 'Preparing the picture…',
  picturesTooMany: 'A product can have up to 8 pictures.',
  importFailed: 'The import failed.',
  importUnreadable: 'We can’t read this file. Export the products and start from that file.',
  importNoKeyColumn: 'The first row must contain the column names, including Id or Name.',
  importTooLong: 'Too many rows. You can import up to 2,000 products at once.',
  importCategoryUnknown: 'This category does not exist. Add it under Settings, Categories first.',
  importUnknownId: 'No product has this id. Leave the id empty for a new product.',
  importDuplicate: 'This product is in the file twice.',
  importYesNo: 'Please enter yes or no',
  ordersNone: 'No orders found.',
  ordersPacked: 'Nothing to pack.',
  ordersPackedThen: 'Nothing to pack for these delivery dates.',
  ordersFailed: 'The order status could not be changed.',
  orderStatusOrder: 'Change the status one step at a time.',
  courierRequired: 'Please enter the courier',
  orderReasonRequired: 'Please enter a reason for the customer',
  customerDeleted: 'This customer deleted their account.',
  orderChanged: 'Order changed. The customer gets an email.',
  orderCancelled: 'Order cancelled',
  orderOnHold:
    'Razorpay reports a refund or dispute for this order. Check it on the order’s page first.',
  orderOnHoldInKitchen: 'On hold: an owner must check this order first.',
  orderReversed:
    'Check this before you pack or deliver the order. If it may go on, acknowledge it.',
  orderAcknowledged: 'The order can go on.',
  demoDataRemoved: 'What came with the demo is removed.',
  testOrder: 'Test order: no money was taken.',
  legalMissing:
    'Orders are off: enter your FSSAI number and your grievance officer. The law requires both before the first payment.',
  ownStateMissing:
    'Delivery is off: choose your state under Shop details, because you deliver only within it.',
  elsewhereMissing: 'You deliver outside of your zones for free: choose what applies there.',
  printNone: 'Select the orders to print first.',
  exportFailed: 'The export failed.',
  usersNone: 'No users found.',
  userLoggedOut: 'Logged out everywhere',
  identityVerified: 'Verified',
  verificationTitle: 'Verification needed',
  verificationReason:
    'Your last verification was more than 10 minutes ago. Enter your password or a code to continue.',
  verificationFailed: 'Not verified',
  lastAdmin: 'There must be at least one owner. Make someone else an owner first.',
  messagesNone: 'No messages found.',
  messagesEmpty: 'No messages yet.',
  markMessageFailed: 'The message could not be updated.',
  addressCopied: 'Address copied',
  answerRequired: 'Please write an answer',
  answerFailed: 'The answer could not be sent.',
  answerWaiting: 'Waiting to be sent',
  answerSent: 'Sent',
  answerNotDelivered: 'Not delivered. Check the address, or call.',
  lowStockNone: 'Nothing is running low.',
  publishFailed: 'Your latest changes are not on the website.',
  postAuthorRequired: 'Please enter the author',
  postExcerptRequired: 'Please enter a summary',
  postContentRequired: 'Please write the post',
  postDayInvalid: 'Please choose today or an earlier date',
  postSlugInvalid:
    'Please use lowercase letters a–z, digits and hyphens, such as caring-for-pickles',
  postSlugTaken: 'Another post already uses this address',
  postNotFound: 'This post no longer exists.',
  postsNone: 'No posts found.',
  postsEmpty: 'No posts yet.',
  postDraftSaved: 'Saved as a draft. It is not on the website.',
  textNotRenderable:
    'This text has too many formats, lists or quotes in one place. Please remove some.',
  previewFailed: 'The preview could not be updated.',
  previewNone: 'Preview: start writing to see the text as readers will.',
  dealsNone: 'No current flash deals. Add one above.',
  dealsProductsFailed: 'Failed to load products',
  dealCreated: 'Discounted product created successfully',
  dealCreateFailed: 'Failed to create discounted product',
  dealDeleteFailed: 'Failed to delete discounted product',
  couponNotFound: 'This coupon no longer exists.',
  couponEnded: 'This coupon has ended and can’t be changed. Create a new one instead.',
  couponsEmpty: 'No coupons yet. Create one, and tell your customers its code.',
  couponsNone: 'No coupon matches.',
  couponCodeInvalid: 'Please enter 4 to 20 letters and digits, for example DIWALI10',
  couponCodeTaken: 'Another coupon has this code. Please choose another code.',
  couponDiscountInvalid: 'Please enter 1 to 100 percent, or an amount of ₹1 to ₹1,00,000',
  couponMinimumInvalid: 'Please enter ₹0 to ₹1,00,000',
  couponUsesInvalid: 'Please enter a whole number from 1, or leave it empty',
  couponStartRequired: 'Please choose when the coupon starts',
  couponEndTooEarly: 'The end must be after the start',
  couponEndPast: 'Please choose an end in the future',
  couponEndFailed: 'The coupon was not ended',
  dealNotFound: 'This flash deal no longer exists.',
  dealEnded: 'This flash deal has ended and can’t be changed. Repeat it instead.',
  publishPagesFailed:
    'These pages could not be updated. Customers see their previous version. New pages are not on the website yet.',
  publishUpToDate: 'All your changes are live.',
  publishUnavailable: 'This server doesn’t update the website.',
  publishUnknown: 'We can’t tell whether your changes are live.',
  publishRetryFailed: 'The update could not be started.',
  publishStarted: 'Update started',
  notLive:
    'Not the live shop: no payments, no refunds and no emails until an administrator confirms it.',
  notLiveOwner: 'Only an owner can confirm it.',
  reversalOwner: 'Only an owner can acknowledge this.',
  refundOwner: 'Only an owner can try again or mark the refund as done.',
  ownerField: 'Only an owner can change this, because the shop’s emails show it as their sender.',
  pageForbidden: 'Your role doesn’t include this page.',
  notLiveCause: 'A backup was restored, or the shop’s address (SITE_URL) has changed.',
  confirmLive: 'This is now the live shop',
  confirmLiveFailed: 'The shop could not be confirmed.',
  shopConfirmed: 'This is the live shop.',
  unmatchedText:
    'Customers paid these orders, but they are not in our database, for example because it was restored from an older backup.',
  unmatchedDecided: 'Someone else has already decided about this payment.',
  nothingToRefund: 'Nothing is left to refund: the money has already gone back.',
  refundStarted: 'The refund is on its way.',
  unmatchedKept: 'The payment is kept.',
  refundDone: 'The refund is marked as done.',
  failedRefundsText:
    'Razorpay did not make these refunds. Try again, or pay the money back by hand and mark the refund as done. Refunds that you make at Razorpay leave this list by themselves.',
  unmatchedFailed: 'The decision could not be saved.',
  backupNone: 'No backup yet.',
  backupContents:
    'One file with your orders, accounts and pictures. It holds customers’ personal data, so store it safely.',
  backupInProgress: 'Preparing the backup…',
  backupNotFound: 'This backup is no longer available. Please download a new one.',
  backupFailed: 'The backup could not be created.',
  settingsVersionNotFound: 'This version no longer exists.',
  settingsNeverSaved: 'Not saved yet',
  settingsRestored: 'Restored as a new version',
  picturesNone: 'No pictures yet. Add one above.',
  testMailFailed: 'The test email could not be sent.',
  testMailSubject: 'Test email from your shop',
  testMailText: 'This email arrived, so your customers get theirs too.',
  mailToFolder: 'Emails are written to a folder: SMTP_URL is not set.',
  mailToServer: 'Emails go to your mail server (SMTP_URL).',
  importChanged:
    'The products changed while you were checking. Check the rows again before you import.'
} as const

export const DELIVERY_PREVIEW = {
  pincodeInvalid: 'Enter a pincode of 6 digits.',
  numberInvalid: 'enter all numbers of the form first',
  notServed: 'not delivered',
  elsewhere: 'Everywhere else',
  elsewhereMissing: 'Please choose this below.',
  noDay: 'no open day'
} as const

export const stateLimitText = (servedState: string | null): string =>
  servedState === null
    ? 'Nothing is delivered at the moment: please choose your state in Shop details.'
    : `Only addresses in ${servedState} are served, because of your Tax settings.`

/** For example '1 order' or '3 orders'. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

export const waitingShoppersText = (count: number): string =>
  count === 1 ? '1 shopper waits for it' : `${count} shoppers wait for it`
export const placeholderUnknownText = (name: string): string =>
  `{${name}} is not known. You can use ${PLACEHOLDER_LIST}.`
export const testMailSentText = (email: string, server = 'the mail server'): string =>
  `${server} has accepted the email to ${email}. If it does not arrive, look in the spam folder.`
export const testMailWrittenText = (folder: string): string =>
  `${ADMIN_MESSAGES.mailToFolder} The test email is in ${folder}.`
/** `answer` is undefined if there was no connection to the mail server. */
export const testMailFailedText = (answer: string | undefined, reason: string): string =>
  answer === undefined
    ? `The mail server could not be reached: ${reason}`
    : `The mail server answered: ${answer}`
export const stockConflictText = (stock: number): string =>
  `The stock has changed to ${stock}. Please check it again.`
export const priceConflictText = (price: string): string =>
  `The price has changed to ${price}. Please check it again.`
export const familyDiffersText = (family: string): string =>
  `All pack sizes of “${family}” share this. Write the same in all their rows.`
export const pictureUploadingText = (percent: number): string => `Uploading… ${percent}%`
export const productAddedText = (name: string): string => `${name} was added`
export const takenOutText = (name: string, pack: string): string =>
  `${name}, ${pack}, is a product of its own`
export const newSizeText = (name: string): string => `New pack size of ${name}`
export const productDeletedText = (name: string): string => `${name} was deleted`
export const productHiddenText = (name: string): string => `${name} is hidden`
export const productShownText = (name: string): string => `${name} is in the shop`
export const collectionAddedText = (name: string): string => `“${name}” was added`
export const collectionDeletedText = (name: string): string => `“${name}” was deleted`
export const collectionHiddenText = (name: string): string => `“${name}” is hidden`
export const collectionShownText = (name: string): string => `“${name}” is in the shop`
export const postDeletedText = (title: string): string => `“${title}” was deleted`
export const postHiddenText = (title: string): string => `“${title}” is now a draft`
export const websiteText = (state: string): string => `Website: ${state}`
export const failedPagesText = (count: number): string => `${formatCount(count, 'page')} failed`
export const postPublishedText = (title: string): string => `“${title}” is published`
export const priceSetText = (name: string, price: string): string => `${name}: ${price}`
export const stockSetText = (name: string, stock: number): string => `${name}: ${stock} in stock`

export const formatOrderCount = (count: number): string => formatCount(count, 'order')
export const toPackText = (count: number, day: string): string =>
  `${count === 1 ? 'order' : 'orders'} to pack, for delivery until ${formatShortDay(day)}`
export const formatNewCount = (count: number): string => `${count} new`
export const orderStatusSetText = (number: string, status: string): string =>
  `Order ${number}: ${status.toLowerCase()}`
export const orderStatusesSetText = (count: number, status: string): string =>
  `${formatOrderCount(count)}: ${status.toLowerCase()}`
export const orderConflictText = (status: string): string =>
  `Someone else changed this order to ${status.toLowerCase()}. Please check it again.`
export const ordersNotChangedText = (count: number): string =>
  `${formatOrderCount(count)} not updated: the status has changed, or the order is on hold.`

export const deepDiscountText = (percent: number, lowest: string): string =>
  `Customers can get this ${percent >= 90 ? 'nearly free: ' : 'for '}as little as ${lowest}. Sure?`
export const dealChangedText = (name: string): string => `Flash deal for ${name} saved`
export const formatDrawnCount = (count: number): string =>
  count === 0
    ? 'No customer has drawn a discount'
    : count === 1
      ? '1 customer has drawn a discount'
      : `${count} customers have drawn a discount`

export const backupSavedText = (bytes: number): string =>
  `Backup downloaded (${(bytes / 1e6).toFixed(1)} MB).`

export const adminGreetingText = (name: string): string => `Vanakkam, ${name}!`
