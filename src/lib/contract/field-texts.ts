/** Texts that the contract and a form or a server check share. */
export const FIELD_TEXTS = {
  contactNameRequired: 'Please enter your name',
  contactEmailRequired: 'Please enter your email',
  contactEmailInvalid: 'Please enter a valid email address',
  contactMessageRequired: 'Please enter your message',
  contactPhoneInvalid: 'Please check the phone number, or leave it empty',
  fillInAll: 'Please fill in all fields',
  nameRequired: 'Name is required.',
  phoneInvalid: 'Please enter a valid 10-digit phone number',
  pincodeInvalid: 'Please enter a valid 6-digit pincode',
  cartEmpty: 'Your cart is empty',
  deliveryDateInvalid: 'Please choose one of the delivery dates',
  eventTimeInvalid: 'Please enter date and time of your event',
  streetRequired: 'Please enter the street and area',
  cityRequired: 'Please enter the city',
  stateRequired: 'Please choose the state',
  passwordTooShort: 'Password must be at least 6 characters long',
  codeRequired: 'Please enter the 6-digit code',
  verificationRequired: 'Please enter your password or a code'
} as const
