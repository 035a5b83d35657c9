export const TAX_MESSAGES = {
  rateInvalid: 'Please enter a rate in percent, such as 5 or 12',
  hsnInvalid: 'Please enter an HSN code of 4, 6 or 8 digits',
  gstinRequired: 'Please enter your GSTIN under Legal first',
  gstinNeeded: 'The section Tax needs the GSTIN. Choose “Not registered” there first.',
  gstinStateWrong: 'The first two digits are not the code of a state',
  gstinStateUnknown: 'The GSTIN under Legal does not begin with the code of a state',
  ratesIncomplete: 'Please add a rate for “All other categories” that applies today',
  ruleDuplicate: 'Another rate begins on the same day',
  accountantNotAsked: 'Please ask an accountant first, then tick this. Or deliver only within your state.',
  ownStateUnknown: 'Please enter the state of your address under Shop details first',
  exportFailed: 'The report could not be downloaded.'
} as const
