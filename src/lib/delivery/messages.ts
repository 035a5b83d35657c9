/** Messages of delivery rules, for shoppers and in the settings. */
export const DELIVERY_MESSAGES = {
  numberInvalid: 'Please enter a whole number',
  timeInvalid: 'Please enter a time such as 18:00',
  pincodesInvalid: 'Please enter pincodes such as 620001-620026, 6210, 625',
  pincodeUnknown: 'There is no such pincode. Please check it.',
  notDelivered: 'We don’t deliver to this pincode.',
  dayClosed: 'This day is no longer open. Please choose another one.',
  dayFull: 'This day is full. Please choose another one.'
} as const
