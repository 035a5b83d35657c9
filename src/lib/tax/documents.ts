import type { TaxStatus } from '../contract/names.ts'

/**
 * Title of the document for a sale, by the CGST Rules 2017: rule 46 (tax invoice) and rule 49 (bill
 * of supply).
 */
export const DOCUMENT_TITLES: Readonly<Record<TaxStatus, string>> = {
  unregistered: 'Invoice',
  composition: 'Bill of supply',
  regular: 'Tax invoice'
}

/** The words of CGST rule 5(1)(f), which must be at the top of each bill of supply. */
export const COMPOSITION_SENTENCE =
  'Composition taxable person, not eligible to collect tax on supplies'

type Series = 'PG' | 'CN'

/**
 * Formats a number such as 'PG/26-27/000042'. CGST rules 46, 49 and 53 allow at most 16 characters.
 */
export function formatSerialNumber(
  series: Series,
  year: string | null,
  no: number | null
): string | null {
  return year === null || no === null ? null : `${series}/${year}/${String(no).padStart(6, '0')}`
}

export const TAX_MESSAGES = {
  gstinRequired: 'Please enter your GSTIN under Legal first',
  gstinNeeded: 'The section Tax needs the GSTIN. Choose “Not registered” there first.',
  gstinStateWrong: 'The first two digits are not the code of a state',
  gstinStateUnknown: 'The GSTIN under Legal does not begin with the code of a state',
  ratesIncomplete: 'Please add a rate for “All other categories” that applies today',
  ruleDuplicate: 'Another rate begins on the same day',
  accountantNotAsked:
    'Please ask an accountant first, then tick this. Or deliver only within your state.',
  ownStateUnknown: 'Please choose the state of your address under Shop details first',
  ownStateNeeded: 'The section Tax needs your state, because you deliver only within it',
  exportFailed: 'The report could not be downloaded.'
} as const

/** The first two digits of a GSTIN are the code of the state in which the seller is registered. */
export const statesDifferText = (byGstin: string, byAddress: string): string =>
  `The GSTIN is for ${byGstin}, but the address under Shop details is in ${byAddress}`
