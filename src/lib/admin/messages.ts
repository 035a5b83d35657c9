import { ADMIN_TEXTS } from '../contract/admin-texts.ts'
import { plural, t, texts } from '../contract/texts.ts'

export const ADMIN_MESSAGES = texts({
  ...ADMIN_TEXTS,
  changedByOthers: 'Someone else changed this while you were editing. Compare before you save.',
  notSaved: (name: string) => t('{name}: not saved', { name }),
  loadFailed: 'This could not be loaded.',
  saved: 'Saved. The website updates in a few seconds.',
  websiteUpdates: 'The website updates in a few seconds.',
  saveFailed: 'This could not be saved.',
  historyNone: 'No changes yet.',
  categoryUnknown: 'This category does not exist',
  pictureUnknown: 'The picture was not found. Please add it again.',
  productPictureMissing: 'Add a picture, or keep the product hidden.',
  productIdUnknown: 'This product no longer exists',
  salePriceTooHigh: 'The sale price must be below the price.',
  sizeExists: 'Another pack size of this product is equal. Please enter a different one.',
  collectionUnknown: 'This collection does not exist. Add it under Collections first.',
  pictureTooLarge: 'This picture is larger than 10 MB. Please choose a smaller one.',
  ordersFailed: 'The order status could not be changed.',
  orderOnHoldInKitchen: 'On hold: an owner must check this order first.',
  printNone: 'Select the orders to print first.',
  testOrder: 'Test order: no money was taken.',
  legalMissing:
    'Orders are off: enter your food licence number (FSSAI) and who answers complaints. The law requires both ' +
    'before the first payment.',
  textNotRenderable:
    'This text has too many formats, lists or quotes in one place. Please remove some.',
  couponEnded: 'This coupon has ended and can’t be changed. Create a new one instead.',
  notLive:
    'Not the live shop: no payments, no refunds and no emails until an administrator confirms it.',
  ownerField: 'Only an owner can change this, because the shop’s emails show it as their sender.',
  refundStarted: 'The refund is on its way.',
  backupFailed: 'The backup could not be created.',
  testKeysWork: 'Razorpay accepts your keys. Test mode: no money moves.',
  liveKeysWork: 'Razorpay accepts your keys. Customers now pay real money.',
  testMailFailed: 'The test email could not be sent.'
})

/** Of one and of several. */
export const NOUNS = texts({
  collection: ['collection', 'collections'],
  coupon: ['coupon', 'coupons'],
  deal: ['flash deal', 'flash deals'],
  message: ['message', 'messages'],
  order: ['order', 'orders'],
  post: ['post', 'posts'],
  product: ['product', 'products'],
  user: ['user', 'users']
})
export type Noun = keyof typeof NOUNS

export const productHiddenText = (name: string): string => t('{name} is hidden', { name })
export const deletedText = (name: string): string => t('“{name}” was deleted', { name })
export const websiteText = (state: string): string => t('Website: {state}', { state })
export const postPublishedText = (title: string): string => t('“{title}” is published', { title })

export const orderConflictText = (status: string): string =>
  t('Someone else changed this order to {status}. Please check it again.', {
    status: status.toLowerCase()
  })

export const formatDrawnCount = (count: number): string =>
  count === 0
    ? t('No customer has drawn a discount')
    : plural(
        count,
        '{count} customer has drawn a discount',
        '{count} customers have drawn a discount'
      )
