/** What only cart, checkout and orders say, and the shop to them: apart from MESSAGES, which every page with islands carries. */
export const CHECKOUT_MESSAGES = {
  payNow: 'Pay Now',
  payConfirm: 'I confirm that my delivery address is correct.',
  payConfirmMissing: 'To pay, please tick the box that confirms your address.',
  payPreparing: 'Preparing the payment…',
  payWindow: 'Please finish the payment in the window that has opened.',
  payAsking: 'Asking whether anything was paid…',
  payFinalising: 'Payment received. Placing your order…',
  paySecure: 'You pay in Razorpay’s own window, by UPI, card or netbanking. We never see your card.',
  payCartChanged:
    'Your cart now also holds what you had put in before. Please look at the total, then press Pay Now once more.',
  payNotOrderable: 'Some of it can’t be ordered as it stands. Please change or remove what is marked in your cart.',
  totalIncludes: 'Delivery and all taxes are included.',
  deliveryAny: 'As soon as it is fresh',
  deliveryHint: 'We cook to order, so the first day is the day after tomorrow.',
  phoneReason: 'Only for calls about the delivery.',
  emailReason: 'For the confirmation and, if you are not logged in, a code.',
  paymentNothingCharged: 'Nothing was charged. Your cart and what you typed are still here.',
  paymentUnheard:
    'We could not ask whether it went through. If money was taken, your order appears under My Orders by itself.',
  paymentNotCompleted: 'The payment was not completed.',
  paymentKeepTrying: 'Please do not pay again: we keep asking.',
  paymentByItself:
    'Your order will appear here and under My Orders by itself. If it can’t be made, the money comes back in full.',
  paymentCheckingTitle: 'We are checking your payment',
  paymentRefundedTitle: 'Your payment comes back',
  orderNext: 'What happens next',
  orderMail: 'A confirmation is on its way to',
  orderSaveAddress: 'Shall we keep this address for your next order?',
  orderAddressSaved: 'Your address is saved.',
  orderCancelled: 'Order cancelled',
  orderCancelledText: 'Your payment comes back in full within 5 to 8 days.',
  orderWasCancelled: 'This order was cancelled. What you paid comes back in full within 5 to 8 days.',
  orderNotCancelled: 'The order was not cancelled.',
  invoiceNone: 'There is no invoice for this order: it has not been paid.',
  invoiceFailed: 'Failed to load the invoice. Please try again later.',
  notRegistered: 'Not registered for GST: no tax is charged.',
  taxIncluded: 'Prices include GST.',
  orderLogin: 'Please log in to see this order',
  orderLoginText: 'If you have paid, the order is there already: we have e-mailed you about it.',
  viewOrders: 'View My Orders',
  cartDiscountLogin: 'Counts once you are logged in.',
  cartClearFailed: 'Failed to clear cart on backend',
  paymentScriptFailed: 'Razorpay SDK failed to load. Are you online?',
  paymentOrderFailed: 'Failed to create Razorpay order',
  paymentNotFinalised: 'Payment successful, but failed to finalize order.',
  paymentContactSupport: 'Please contact support.',
  paymentCancelled: 'Payment was cancelled.',
  paymentChecking: 'Your bank has not confirmed the payment yet. Please do not pay again: we will e-mail you.',
  paymentUnavailable: 'The payment service can’t be reached right now. Nothing was charged; please try again.',
  paymentRefused: 'This payment could not be verified. If money was taken, it will come back by itself.',
  paymentRefunded: 'The order could not be made any more. Your payment is on its way back to you in full.',
  priceChanged: 'Prices or stock have changed. Please look at the new total before you pay.',
  amountTooSmall: 'The smallest amount that can be paid online is ₹1.',
  checkoutChanged: 'This checkout has changed since. Please press Pay Now once more.',
  tooManyHolds: 'You have other payments open. Please finish one of them or wait half an hour.',
  cartChanged: 'Your cart was changed on another device.',
  orderPlaced: 'Order placed successfully!',
  orderNotFound: 'Order not found',
  orderNotCancellable: 'This order can no longer be cancelled online. Please call us.',
  orderNotMovable: 'This order is at another point of its way.',
  ordersFailed: 'Failed to fetch orders. Please try again later.',
  ordersFailedTitle: 'Error Fetching Orders',
  ordersLogin: 'Please log in to view your orders.',
  ordersNone: 'No orders found.',
  deliveryDateInvalid: 'Please choose one of the delivery dates',
  deliveryDateTooEarly: 'This date is too soon for us to cook and deliver. Please choose a later one.',
  streetRequired: 'Please enter the street and area',
  cityRequired: 'Please enter the city',
  stateRequired: 'Please choose the state',
  countryRequired: 'Please enter the country',
  cartDiscountEnded: 'Your discount has ended, so this is the normal price.',
  cartDiscountUsed: 'Your discount was used in an earlier order, so this is the normal price.',
  cartOutOfStock: 'Out of stock',
  cartGone: 'No longer sold'
} as const

/** 'Pay Now · ₹640.00' */
export const payNow = (total: string): string => `${CHECKOUT_MESSAGES.payNow} · ${total}`
/** What the bank or the provider said of an attempt that failed. */
export const attemptRefused = (reason: string): string =>
  `The last attempt failed: ${reason.replace(/\.?$/, '.')} Nothing was charged, and you can try again.`
export const totalNow = (total: string): string => `The total is now ${total}.`
/** What 'Buy again' has done. */
export const movedToCart = (count: number): string =>
  count === 1 ? 'What you had ordered is in your cart.' : `All ${count} items of the order are in your cart.`
