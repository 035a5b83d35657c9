export const DEAL_MESSAGES = {
  dealProductRequired: 'Please choose a product',
  dealPercentInvalid: 'Please enter a whole percentage from 1 to 100',
  dealPercentZero: 'The discount must be at least 1%.',
  dealTimeInvalid: 'Please enter a date and time',
  dealStartRequired: 'Please enter the date and time of the start',
  dealEndRequired: 'Please enter the date and time of the end',
  dealEndTooEarly: 'The deal must end after it starts.',
  dealEndPast: 'The deal must end in the future.',
  dealDeleted: 'Discounted product deleted successfully'
} as const
